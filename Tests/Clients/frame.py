# Lists what picframe shows, by its own model, as its window needs OpenGL.
#
# usage: frame.py FOLDER yes|no STATE, the second being `follow_links`
#
# A line for each file; after it, the title and the text that picframe knows. `none` where there is nothing to show.
import sys
from os.path import dirname, join

import yaml
from picframe import model

folder, follow, state = sys.argv[1:]


def settings():
    with open(join(dirname(model.__file__), "config", "configuration_example.yaml")) as file:
        words = yaml.safe_load(file)
    words["model"].update(
        pic_dir=folder, follow_links=follow == "yes", shuffle=False, update_interval=0.1, log_level="ERROR",
        db_file=join(state, "pictures.db3"), deleted_pictures=state, no_files_img="none")
    path = join(state, "frame.yaml")
    with open(path, "w") as file:
        yaml.safe_dump(words, file)
    return path


def pictures():
    # Those of the first round.
    frame = model.Model(settings())
    frame.force_reload()
    shown = [frame.get_next_file()[0]]
    shown += [frame.get_next_file()[0] for _ in range(frame.get_number_of_files() - 1)]
    # Ends when the folder has been read to its end.
    frame.stop_image_chache()
    return shown


# The first time, the folder is still being read.
pictures()
for picture in pictures():
    print(picture.fname.removeprefix(f"{folder}/"), *filter(None, [picture.title, picture.caption]))
