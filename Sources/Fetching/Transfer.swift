import Apod
import CCurl
import Glibc
import Synchronization

/// One request and its answer, without redirects and repetitions.
///
/// `@unchecked Sendable`: once added to a `CurlLoop`, only that loop's thread touches anything but `cancelled`.
final class Transfer: @unchecked Sendable {
    struct Want {
        var address: WebAddress
        var fields: [String]
        /// A picture or video: limited in number, and never compressed.
        var isFile: Bool
        /// Asks for the head alone.
        var isHead: Bool
        var userAgent: String
        var stallSeconds: Int
        /// In bytes a second.
        var slowest: Int
        var cooldowns: HostCooldowns
        var permits: @Sendable (Reach) -> Bool
    }

    let cancelled = Atomic(false)
    var isFile: Bool { request.isFile }
    private let request: Want
    private let receiver: any ResponseReceiver
    private let done: @Sendable (Result<AnswerHead, FetchError>) -> Void
    private let easy = curl.curl_easy_init()!
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var head = AnswerHead()
    private var headIsComplete = false
    private var bodyIsWanted = false
    private var unwanted = 0
    private var failure: FetchError?
    private var start: ContinuousClock.Instant?

    private static let unwantedLimit = 64 << 10
    private static let headLimit = 300

    init(
        _ request: Want, into receiver: any ResponseReceiver,
        done: @escaping @Sendable (Result<AnswerHead, FetchError>) -> Void
    ) {
        self.request = request
        self.receiver = receiver
        self.done = done
        words.pointee = 0
    }

    deinit {
        curl.curl_easy_cleanup(easy)
        curl.curl_slist_free_all(fieldList)
        words.deallocate()
    }

    private var host: String { String(request.address.origin) }

    /// Returns whether the transfer may begin; reports the failure if not.
    func mayBegin() -> Bool {
        guard isFile, let refusal = request.cooldowns.refusal(by: host) else { return true }
        done(.failure(refusal))
        return false
    }

    /// Returns the configured handle. Its callbacks do not keep this object alive.
    func prepare() -> UnsafeMutableRawPointer {
        start = .now
        let this = Unmanaged.passUnretained(self).toOpaque()
        set_text(curl, easy, CURLOPT_URL, request.address.description)
        set_text(curl, easy, CURLOPT_PROTOCOLS_STR, "http,https")
        set_text(curl, easy, CURLOPT_USERAGENT, request.userAgent)
        // Otherwise libcurl takes a proxy from the environment, and `openSocket` sees only the proxy's address.
        set_text(curl, easy, CURLOPT_PROXY, "")
        if !request.isFile { set_text(curl, easy, CURLOPT_ACCEPT_ENCODING, "") }
        for field in request.fields { fieldList = curl.curl_slist_append(fieldList, field) }
        set_pointer(curl, easy, CURLOPT_HTTPHEADER, fieldList)
        set_long(curl, easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        set_long(curl, easy, CURLOPT_NOSIGNAL, 1)
        if request.isHead { set_long(curl, easy, CURLOPT_NOBODY, 1) }
        // Otherwise cancelling waits for a name to be resolved.
        set_long(curl, easy, CURLOPT_QUICK_EXIT, 1)
        set_long(curl, easy, CURLOPT_BUFFERSIZE, 256 << 10)
        set_long(curl, easy, CURLOPT_CONNECTTIMEOUT, request.stallSeconds)
        set_long(curl, easy, CURLOPT_LOW_SPEED_TIME, request.stallSeconds)
        set_long(curl, easy, CURLOPT_LOW_SPEED_LIMIT, request.slowest)
        set_pointer(curl, easy, CURLOPT_ERRORBUFFER, words)
        set_pointer(curl, easy, CURLOPT_HEADERDATA, this)
        set_data_function(curl, easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, this in
            Transfer.from(this!).receive(line: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        set_pointer(curl, easy, CURLOPT_WRITEDATA, this)
        set_data_function(curl, easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, this in
            Transfer.from(this!).receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        set_pointer(curl, easy, CURLOPT_OPENSOCKETDATA, this)
        set_socket_function(curl, easy) { this, _, address in Transfer.from(this!).openSocket(address!) }
        return easy
    }

    static func from(_ pointer: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
    }

    func finish(_ code: CURLcode) {
        note(code)
        // A host has several addresses: one may be forbidden, and another have answered.
        if code == CURLE_OK || failure == nil && headIsComplete && !bodyIsWanted {
            done(.success(head))
        } else if let failure {
            done(.failure(failure))
        } else {
            done(.failure(error(for: code)))
        }
    }

    func cancel() { done(.failure(.cancelled)) }

    /// Notes a failure of the host; before `done`, so that the transfers that wait learn of it.
    private func note(_ code: CURLcode) {
        if headIsComplete { return }
        let error = failure ?? error(for: code)
        switch error {
        case .unreachable: request.cooldowns.failed(host, error, since: start ?? .now)
        case .stalled:
            request.cooldowns.failed(
                host, .unreachable(error.problem(at: request.address).reason), since: start ?? .now)
        default: break
        }
    }

    private static func isUnreachable(_ code: CURLcode) -> Bool {
        [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
        ].contains(code)
    }

    private func error(for code: CURLcode) -> FetchError {
        if code == CURLE_OUT_OF_MEMORY, !headIsComplete { return .connection("the answer's head is too long") }
        if code == CURLE_OPERATION_TIMEDOUT { return .stalled(seconds: request.stallSeconds) }
        let told = words.pointee == 0 ? curl.curl_easy_strerror(code)! : UnsafePointer(words)
        let words = Text.clean(String(cString: told)).replacing(#/ after [0-9]+ (ms|milliseconds)/#, with: "")
        return Self.isUnreachable(code) ? .unreachable(reason(code) ?? words) : .connection(words)
    }

    /// Returns why no connection could be made; nil where libcurl's words are plain enough.
    private func reason(_ code: CURLcode) -> String? {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return "its name is not found"
        case CURLE_COULDNT_CONNECT where system_error(curl, easy) != 0:
            return String(cString: strerror(system_error(curl, easy))).lowercased()
        // A port of its own has mostly a server at home.
        case CURLE_SSL_CONNECT_ERROR where request.address.authority.contains(":"):
            return "HTTPS fails there; if it speaks plain HTTP, write http://\(request.address.authority)"
        default: return nil
        }
    }

    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        let network = withUnsafePointer(to: &address.pointee.addr) { Reach($0) }
        guard request.permits(network) else {
            failure = .forbiddenHost(String(request.address.host))
            return -1
        }
        return open_socket(address)
    }

    private func receive(line bytes: UnsafeRawBufferPointer) -> Bool {
        // Trailers are ignored.
        if headIsComplete { return true }
        let line = bytes.text
        if line.utf8.starts(with: "HTTP/".utf8) {
            let words = line.unicodeScalars.split(whereSeparator: Text.isSpace)
            head = AnswerHead(status: words.dropFirst().first.flatMap { Int(Substring($0)) } ?? 0)
        } else if let colon = line.utf8.firstIndex(of: ":"), head.fields.count < Self.headLimit {
            head.fields[line[..<colon].lowercased()] = Text.clean(String(line[line.utf8.index(after: colon)...]))
        } else if line.utf8.allSatisfy({ $0 == 0x0d || $0 == 0x0a }), head.status >= 200 {
            headIsComplete = true
            // Before the body, which can take many minutes: other transfers wait for this.
            request.cooldowns.answered(
                host, head.status, requestedPause: head.retryAfter, isFile: isFile, since: start ?? .now)
            return attempt { () throws(FetchError) in bodyIsWanted = try receiver.head(head) }
        }
        return true
    }

    private func receive(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard bodyIsWanted else {
            unwanted += bytes.count
            return unwanted <= Self.unwantedLimit
        }
        return attempt { () throws(FetchError) in try receiver.body(bytes) }
    }

    /// Keeps the failure for `finish`: libcurl itself only learns that there was one.
    private func attempt(_ step: () throws(FetchError) -> Void) -> Bool {
        do throws(FetchError) {
            try step()
            return true
        } catch {
            failure = error
            return false
        }
    }
}
