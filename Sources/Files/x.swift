import Apod
