/// Where values stand in JSON: `a.b[2].c`, `Assets[].Resources[ResourceType=Large].URL`.
///
/// Of an array, `[]` means each element, `[2]` the third, and `[NAME=VALUE]` those with this value in that member. A `*` at
/// the value's end stands for any ending.
package struct JSONPath: Hashable, Sendable {
    private let steps: [Step]

    /// They cannot be written in a member's name.
    private static let marks = ASCIISet(".[]{}/")

    package init?(_ text: String) {
        var steps: [Step] = []
        var rest = text[...].utf8
        while true {
            let name = rest.prefix { !Self.marks.contains($0) }
            rest = rest.dropFirst(name.count)
            if !name.isEmpty { steps.append(.member(name.text)) }
            // The outermost array has no name.
            guard !name.isEmpty || steps.isEmpty && rest.first == "[" else { return nil }
            while rest.first == "[" {
                guard let end = rest.firstIndex(of: "]"), let step = Step(rest[..<end].dropFirst()) else {
                    return nil
                }
                steps.append(step)
                rest = rest[end...].dropFirst()
            }
            guard let mark = rest.popFirst() else { break }
            guard mark == "." else { return nil }
        }
        self.steps = steps
    }

    /// All of them, in the order of the document.
    package func values(in json: JSONText) -> [JSONText] { Self.values(of: steps[...], from: [json]) }

    /// Looks into an object whose members are read already.
    package func values(in members: [String: JSONText]) -> [JSONText] {
        guard case .member(let name) = steps.first, let value = members[name] else { return [] }
        return Self.values(of: steps.dropFirst(), from: [value])
    }

    private static func values(of steps: ArraySlice<Step>, from start: [JSONText]) -> [JSONText] {
        steps.reduce(start) { values, step in values.flatMap(step.values) }
    }
}

private enum Step: Hashable, Sendable {
    case member(String)
    case elements
    case element(Int)
    case having(String, value: String)

    /// Reads what stands in brackets.
    init?(_ selector: Substring.UTF8View) {
        if selector.isEmpty {
            self = .elements
        } else if let equals = selector.firstIndex(of: "=") {
            guard equals > selector.startIndex else { return nil }
            self = .having(selector[..<equals].text, value: selector[equals...].dropFirst().text)
        } else if let index = Int(selector.text), selector.allSatisfy({ 48...57 ~= $0 }) {
            self = .element(index)
        } else {
            return nil
        }
    }

    func values(in json: JSONText) -> [JSONText] {
        if case .member(let name) = self { return json[name].map { [$0] } ?? [] }
        let elements = json.elements ?? []
        switch self {
        case .member, .elements: return elements
        case .element(let index): return elements.indices.contains(index) ? [elements[index]] : []
        case .having(let name, let value): return elements.filter { Self.fits($0[name]?.words, value) }
        }
    }

    private static func fits(_ words: String?, _ wanted: String) -> Bool {
        guard let words = words?.utf8 else { return false }
        guard wanted.utf8.last == "*" else { return words.elementsEqual(wanted.utf8) }
        return words.starts(with: wanted.utf8.dropLast())
    }
}
