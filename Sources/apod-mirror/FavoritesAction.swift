/// What `apod-mirror favorites` does.
enum FavoritesAction: String, CaseIterable { case list, add, remove, history, restore }
