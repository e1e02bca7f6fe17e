import TestSupport
import Testing

/// What something that a program has said is to be.
struct Said: ExpressibleByStringInterpolation {
    let fits: (String) -> Bool

    init(_ fits: @escaping (String) -> Bool) { self.fits = fits }

    init(stringLiteral text: String) { self.init { $0 == text } }

    static func containing(_ part: String) -> Said { Said { $0.contains(part) } }

    static func ending(_ end: String) -> Said { Said { $0.hasSuffix(end) } }

    static func lines(_ count: Int) -> Said { Said { $0.split(separator: "\n").count == count } }
}

extension Program {
    /// Returns when it has said so, or has ended.
    @discardableResult
    func said(_ words: String) async throws -> Outcome { try await outcome(where: { $0.output.contains(words) }) }

    @discardableResult
    func complained(_ words: String) async throws -> Outcome { try await outcome(where: { $0.errors.contains(words) }) }
}

extension Program.Outcome {
    /// All is done, and what was said fits.
    func succeeds(output: Said..., errors: Said..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(0, output, errors, sourceLocation)
    }

    func fails(
        _ status: Int32 = 1, output: Said..., errors: Said..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(status, output, errors, sourceLocation)
    }

    /// However it has ended.
    func says(output: Said..., errors: Said..., sourceLocation: SourceLocation = #_sourceLocation) {
        expect(nil, output, errors, sourceLocation)
    }

    private func expect(_ status: Int32?, _ output: [Said], _ errors: [Said], _ sourceLocation: SourceLocation) {
        if let status { #expect(self.status == status, "\(self)", sourceLocation: sourceLocation) }
        for said in output { #expect(said.fits(self.output), "\(self)", sourceLocation: sourceLocation) }
        for said in errors { #expect(said.fits(self.errors), "\(self)", sourceLocation: sourceLocation) }
    }
}
