/// The parts of the service, by the names in messages and JSON.
package enum ServicePart: String, Sendable, CaseIterable, Codable {
    case favorites
    case pendingFavorites = "wishes"
    case refresh, backfill, lists, retention, thumbnails, gallery, folders, frame, control, web, listen, status
}

extension [ServicePart] {
    package var names: String { map(\.rawValue).joined(separator: ", ") }
}
