import Apod

/// Sends a request and follows redirects.
struct Redirects: Sendable {
    let settings: FetchSettings
    let places: AddressPolicy
    let loop: CurlLoop
    let rateLimiter: RateLimiter

    private static let most = 5

    /// Makes each step a request of its own, so that `AddressPolicy` judges each address.
    func follow(
        _ address: WebAddress, fields: [String], isFile: Bool, isHead: Bool = false, into receiver: any ResponseReceiver
    ) async throws(FetchError) -> AnswerHead {
        var address = address
        for step in 0...Self.most {
            let head: AnswerHead
            do throws(FetchError) {
                head = try await request(address, fields: fields, isFile: isFile, isHead: isHead, into: receiver)
            } catch {
                // The host that redirects was asked, so this counts as an attempt.
                throw step == 0 ? error : error.asStatus
            }
            guard [301, 302, 303, 307, 308].contains(head.status), let location = head.fields["location"] else {
                return head
            }
            address = try Self.target(of: location, from: address)
        }
        throw .redirectRefused("more than \(Self.most) in a row")
    }

    /// Returns the address that a redirect leads to. From HTTPS to HTTP, it is refused.
    static func target(of location: String, from address: WebAddress) throws(FetchError) -> WebAddress {
        guard let next = WebAddress(location, relativeTo: address),
            !(address.scheme == "https" && next.scheme == "http")
        else {
            throw .redirectRefused("from \(address.scheme) to \(location.prefix(200))")
        }
        return next
    }

    private func request(
        _ address: WebAddress, fields: [String], isFile: Bool, isHead: Bool, into receiver: any ResponseReceiver
    ) async throws(FetchError) -> AnswerHead {
        let request = Transfer.Want(
            address: address, fields: fields, isFile: isFile, isHead: isHead, userAgent: settings.userAgent,
            stallSeconds: settings.stallSeconds, slowest: settings.slowest, cooldowns: settings.cooldowns
        ) { [places] in places.permits($0, for: address) }
        let head = try await loop.perform(request, into: receiver)
        // After a longer pause, `Fetcher` does not ask again.
        if let requestedPause = head.retryAfter.map({ Duration.seconds($0) }), requestedPause <= settings.longestPause,
            !isFile || places.isUpstream(address)
        {
            await rateLimiter.postpone(by: requestedPause)
        }
        return head
    }
}

extension FetchError {
    /// Turns `.leftAlone` into the refusal that caused it, with what is left of the pause.
    fileprivate var asStatus: FetchError {
        guard case .leftAlone(let status, let left?) = self else { return self }
        return .status(status, retryAfter: Int((left / .seconds(1)).rounded(.up)))
    }
}
