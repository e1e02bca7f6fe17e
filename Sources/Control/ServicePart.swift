/// What the service is made of, by the names that people and programs read.
package enum ServicePart: String, Sendable, CaseIterable {
    case favorites
    case pendingFavorites = "wishes"
    case refresh, backfill, retention, thumbnails, gallery, control, status
}
