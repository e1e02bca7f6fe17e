/// Why a text is not JSON.
package enum JSONError: Error, Equatable {
    case notJSON(offset: Int)
    case tooDeep
}
