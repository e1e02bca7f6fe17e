import Apod
import CSQLite
import Files
import Glibc

/// A connection to a database, used by one thread at a time. SQLite's pointers do not leave this type.
final class Database {
    /// `inMemory`: a new database in memory, whose errors name the path.
    enum Access { case write, read, inMemory }

    enum Value {
        case null
        case integer(Int)
        case text(String)
        case blob([UInt8])

        /// The number of a key's row; 0 where it has none.
        case key(Key)

        static func day(_ day: Day) -> Value { .integer(day.number) }
        static func list(_ list: ListName?) -> Value { .text(list?.description ?? "") }
        /// For `json_each`.
        static func days(_ days: some Sequence<Day>) -> Value { numbers(days.map(\.number)) }
        static func numbers(_ numbers: [Int]) -> Value { .text(JSON.array(numbers.map(JSON.integer)).line) }
        static func flag(_ isTrue: Bool) -> Value { .integer(isTrue ? 1 : 0) }
        static func optional(_ value: Int?) -> Value { value.map(integer) ?? .null }
        static func optional(_ value: String?) -> Value { value.map(text) ?? .null }
        static func optional(_ value: [UInt8]?) -> Value { value.map(blob) ?? .null }
    }

    private var handle: OpaquePointer?
    /// By their SQL.
    private var prepared: [String: Statement] = [:]
    /// Of the rows of other lists' items that were met. No number is used twice.
    private var keys: [Int: Key] = [:]
    let path: String

    init(_ path: String, _ access: Access) throws {
        self.path = path
        var (name, flags) = (path, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE)
        switch access {
        case .write:
            flags |= SQLITE_OPEN_READWRITE
            try CatalogFiles.prepare(path)
        case .read:
            flags |= SQLITE_OPEN_READONLY
            if CatalogFiles.areImmutable(path) {
                flags |= SQLITE_OPEN_URI
                name = "file:\(Percent.encoded(path) { "%?#".utf8.contains($0) })?immutable=1"
            }
        case .inMemory:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
            name = ":memory:"
        }
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK else { throw error(code) }
        sqlite3_busy_timeout(handle, 10_000)
        // The log and the shared memory stay when the last connection closes: a reader could not make them.
        var stays: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &stays)
    }

    deinit {
        for statement in prepared.values { sqlite3_finalize(statement.handle) }
        // With this limit, the last connection to close empties the log.
        sqlite3_exec(handle, "PRAGMA journal_size_limit = 0", nil, nil, nil)
        sqlite3_close_v2(handle)
    }

    var statements: some Collection<String> { prepared.keys }

    /// Frees cached pages, which can be read again.
    func releaseMemory() {
        keys = [:]
        sqlite3_db_release_memory(handle)
    }

    /// Whether the file was moved, deleted or replaced.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return hasMoved != 0
    }

    /// Runs any number of statements without parameters.
    func script(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    func transaction<Result>(_ work: () throws -> Result) throws -> Result {
        try script("BEGIN IMMEDIATE")
        do {
            let result = try work()
            try script("COMMIT")
            return result
        } catch {
            // After some failures SQLite has rolled back by itself.
            if sqlite3_get_autocommit(handle) == 0 { try? script("ROLLBACK") }
            keys = [:]
            throw error
        }
    }

    func run(_ sql: String, _ values: Value...) throws { try run(sql, values) }

    func run(_ sql: String, _ values: [Value]) throws {
        _ = try rows(sql, values) { _ in true }
    }

    func all<Result>(_ sql: String, _ values: Value..., row: (Row) -> Result?) throws -> [Result] {
        try rows(sql, values, row)
    }

    func first<Result>(_ sql: String, _ values: Value..., row: (Row) -> Result?) throws -> Result? {
        try rows(sql, values, row).first
    }

    /// The rows as `read` returns them, without those for which it returns nil.
    func rows<Result>(
        _ sql: String, _ values: [Value], _ read: (Row) -> Result?
    ) throws -> [Result] {
        let statement = try statement(for: sql)
        precondition(Int(sqlite3_bind_parameter_count(statement.handle)) == values.count, sql)
        defer {
            sqlite3_reset(statement.handle)
            sqlite3_clear_bindings(statement.handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1), in: statement.handle) }
        var results: [Result] = []
        while true {
            let code = sqlite3_step(statement.handle)
            if code == SQLITE_DONE { return results }
            guard code == SQLITE_ROW else { throw error(code) }
            if let result = read(Row(statement, in: self)) { results.append(result) }
        }
    }

    /// A prepared statement, and the names of its columns.
    fileprivate struct Statement {
        let handle: OpaquePointer
        let columns: [String]

        init(_ handle: OpaquePointer) {
            self.handle = handle
            columns = (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }
        }
    }

    private func statement(for sql: String) throws -> Statement {
        if let statement = prepared[sql] { return statement }
        var pointer: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK, let pointer else { throw error(code) }
        let statement = Statement(pointer)
        prepared[sql] = statement
        return statement
    }

    private func bind(_ value: Value, at index: Int32, in statement: OpaquePointer) throws {
        // SQLITE_TRANSIENT: SQLite makes its own copy.
        let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let value): sqlite3_bind_int64(statement, index, Int64(value))
            case .text(let value): sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), copy)
            case .blob(let value): sqlite3_bind_blob(statement, index, value, Int32(value.count), copy)
            case .key(let key): sqlite3_bind_int64(statement, index, Int64(try number(of: key) ?? 0))
            }
        guard code == SQLITE_OK else { throw error(code) }
    }

    private func error(_ code: Int32) -> Problem {
        // SQLite reports some writes to a full disk as I/O errors.
        let isFull = code & 0xff == SQLITE_IOERR && [ENOSPC, EDQUOT].contains(sqlite3_system_errno(handle))
        let code = isFull ? SQLITE_FULL : code
        let words = isFull ? nil : handle.map { String(cString: sqlite3_errmsg($0)) }
        return markingDamage(
            Problem(sqlite: code, words: words ?? String(cString: sqlite3_errstr(code)), path: path))
    }

    /// Throws if the database is damaged.
    func check() throws {
        let found = try first("PRAGMA quick_check(1)") { $0.text(0) }
        if let found, found != "ok" {
            throw markingDamage(Problem(sqlite: SQLITE_CORRUPT, words: found, path: path))
        }
    }

    private func markingDamage(_ error: Problem) -> Problem {
        // Damage in a catalog that was set aside says nothing of the next one.
        if error.isDamagedCatalog, !hasMoved { DamageMark.set(beside: path) }
        return error
    }

    /// The current row of a statement, valid only in the closure that reads it.
    struct Row {
        private let statement: OpaquePointer
        private let columns: [String]
        private let database: Database

        fileprivate init(_ statement: Statement, in database: Database) {
            (self.statement, columns, self.database) = (statement.handle, statement.columns, database)
        }

        /// The key whose row has the number in the first column.
        var key: Key? { integer(0).flatMap { try? database.key(of: $0) } }

        func column(_ name: String) -> Int32 {
            guard let index = columns.firstIndex(of: name) else { preconditionFailure("no column \(name)") }
            return Int32(index)
        }

        func integer(_ name: String) -> Int? { integer(column(name)) }
        func text(_ name: String) -> String? { text(column(name)) }
        func blob(_ name: String) -> [UInt8]? { blob(column(name)) }

        private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

        func integer(_ column: Int32) -> Int? {
            isNull(column) ? nil : Int(sqlite3_column_int64(statement, column))
        }

        func text(_ column: Int32) -> String? {
            sqlite3_column_text(statement, column).map { String(cString: $0) }
        }

        func blob(_ column: Int32) -> [UInt8]? {
            guard !isNull(column) else { return nil }
            let count = Int(sqlite3_column_bytes(statement, column))
            return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count))
        }
    }
}

/// Keys and the numbers of their rows.
extension Database {
    /// nil for an item that has no row.
    func number(of key: Key) throws -> Int? {
        switch key {
        case .day(let day): day.number
        case .item(let item):
            try first(
                "SELECT n FROM item WHERE list = ? AND stem = ? AND mark IS NOT NULL", .list(item.list),
                .text(item.stem)
            ) { $0.integer(0) }
        }
    }

    /// The number of a key's row. An item gets one where it has none.
    func numbered(_ key: Key) throws -> Int {
        if let number = try number(of: key) { return number }
        try run(
            "INSERT INTO item (list, stem, mark) VALUES (?, ?, ?)", .list(key.list), .text(key.front), .text(key.mark))
        return Int(sqlite3_last_insert_rowid(handle))
    }

    /// nil for a number that no key has.
    fileprivate func key(of number: Int) throws -> Key? {
        if let day = Day(daysSince1970: number) { return .day(day) }
        if let key = keys[number] { return key }
        let name = try first("SELECT list, stem FROM item WHERE n = ?", .integer(number)) { $0.fileName }
        keys[number] = name?.key
        return name?.key
    }
}

extension Problem {
    /// An error of SQLite.
    init(sqlite code: Int32, words: String, path: String) {
        let number: Int32 =
            switch code & 0xff {
            case SQLITE_FULL: ENOSPC
            case SQLITE_CORRUPT, SQLITE_NOTADB: EBADMSG
            case SQLITE_READONLY: EROFS
            default: 0
            }
        self.init(number == EBADMSG ? .unusable : .catalog, words, path: path, number: Int(number))
    }
}
