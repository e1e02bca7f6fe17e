import Apod

/// The proxy that the environment names; not left to libcurl, because `AddressPolicy` must know of it.
struct Proxy: Sendable {
    private let byScheme: [String: String]
    private let exceptions: [String]

    init(environment: [String: String]) {
        func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        let general = value("all_proxy", "ALL_PROXY")
        // HTTP_PROXY in capitals is not read: under CGI, it is a request's header Proxy (httpoxy).
        byScheme = [
            "http": value("http_proxy") ?? general, "https": value("https_proxy", "HTTPS_PROXY") ?? general,
        ].compactMapValues { $0 }
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").lowercased().split { ", ".contains($0) }.map(String.init)
    }

    func address(for address: WebAddress) -> String? {
        let host = address.undottedHost
        let excepted = exceptions.contains { exception in
            let name = exception.hasPrefix(".") ? exception.dropFirst() : exception[...]
            return exception == "*" || host == name || host.hasSuffix(".\(name)") || address.authority == name
        }
        return excepted ? nil : byScheme[String(address.scheme)]
    }
}
