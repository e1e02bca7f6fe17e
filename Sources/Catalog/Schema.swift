internal import Apod
internal import Files

/// The catalog's tables, a step for each version: a catalog of version N is brought up to date by the steps from N on.
enum Schema {
    static var version: Int { steps.count }

    static func update(_ database: Database) throws(StorageError) {
        // WAL: readers go on during a write. FULL: what is committed survives a power cut.
        try database.script("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;")
        let version = try version(of: database)
        guard version < steps.count else { return try refuseNewer(version, database) }
        if version == 0 { try database.openToReaders() }
        try database.transaction { () throws(StorageError) in
            // Another program may just have done it.
            guard try self.version(of: database) == version else { return }
            for step in steps[version...] { try database.script(step) }
            try database.script("PRAGMA user_version = \(steps.count)")
        }
    }

    /// Who only reads cannot bring it up to date.
    static func refuseOther(_ database: Database) throws(StorageError) {
        let version = try version(of: database)
        try refuseNewer(version, database)
        if version == 0 {
            // As a full disk leaves it when another was deleted.
            throw database.complaint(
                "is empty; the service or the next sync makes it again when the disk has room for it")
        }
        if version < steps.count {
            throw database.complaint("is of an older version; the next sync brings it up to date")
        }
    }

    private static func refuseNewer(_ version: Int, _ database: Database) throws(StorageError) {
        guard version > steps.count else { return }
        throw database.complaint("was made by a newer version of apod-mirror; use that one, or delete the catalog")
    }

    static func version(of database: Database) throws(StorageError) -> Int {
        try database.first("PRAGMA user_version") { $0.integer(0) ?? 0 } ?? 0
    }

    static let steps = [
        """
        CREATE TABLE day (
            day INTEGER PRIMARY KEY,   -- since 1970-01-01: date(day * 86400, 'unixepoch')
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            retry_after INTEGER,
            reason TEXT,
            -- The rest is null while nothing of the day is in the tree.
            stem TEXT,
            title TEXT,
            has_text INTEGER,
            fetched INTEGER,
            content BLOB,
            json_sha256 BLOB,
            json_bytes INTEGER
        ) STRICT;
        CREATE INDEX unsettled ON day (state) WHERE state <> 'mirrored';
        CREATE TABLE file (
            day INTEGER NOT NULL,
            role TEXT NOT NULL,
            type TEXT NOT NULL,
            address TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            sha256 BLOB NOT NULL,
            width INTEGER,
            height INTEGER,
            PRIMARY KEY (day, role)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE fact (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
        CREATE VIRTUAL TABLE prose USING fts5 (title, explanation, tokenize = 'porter unicode61 remove_diacritics 2');
        """,
        """
        CREATE INDEX file_bytes ON file (bytes);
        CREATE INDEX json_bytes ON day (json_bytes);
        CREATE TABLE favorite (day INTEGER PRIMARY KEY, added INTEGER NOT NULL) STRICT;
        -- Whatever is in the favorites folder, understood or not.
        CREATE TABLE link (
            album BLOB NOT NULL,       -- the folder's path below the favorites folder
            name BLOB NOT NULL,
            day INTEGER,               -- null where it is not understood
            why TEXT,                  -- what is not understood about it
            PRIMARY KEY (album, name)
        ) STRICT, WITHOUT ROWID;
        -- Links that went in a way that may not have been meant.
        CREATE TABLE vanished (
            album BLOB NOT NULL,
            name BLOB NOT NULL,
            day INTEGER NOT NULL,
            moment INTEGER NOT NULL,
            PRIMARY KEY (album, name, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE album (path BLOB PRIMARY KEY, mark TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE change (
            moment INTEGER NOT NULL,
            day INTEGER NOT NULL,
            kind TEXT NOT NULL,
            album BLOB,
            name BLOB
        ) STRICT;
        """,
        """
        CREATE INDEX ended ON change (day, moment) WHERE kind IN ('removed', 'forgotten');
        """,
        """
        ALTER TABLE favorite ADD COLUMN since INTEGER NOT NULL DEFAULT 0;   -- the run of removals that was the last then
        ALTER TABLE link ADD COLUMN file TEXT;       -- of the day, that it leads to; null where it only names the day
        ALTER TABLE vanished ADD COLUMN file TEXT;
        -- Links that were taken away, with what their favorites were.
        CREATE TABLE removed (
            run INTEGER,               -- null where somebody asked for it
            moment INTEGER NOT NULL,
            album BLOB NOT NULL,
            name BLOB NOT NULL,
            day INTEGER NOT NULL,
            file TEXT,
            added INTEGER NOT NULL,
            since INTEGER NOT NULL,
            UNIQUE (album, name, day)
        ) STRICT;
        CREATE INDEX removed_day ON removed (day);
        -- The last one only.
        CREATE TABLE removal_run (
            number INTEGER PRIMARY KEY,
            there INTEGER NOT NULL,    -- favorites with links when it began
            last INTEGER,              -- null while nothing has gone for good
            is_loss INTEGER NOT NULL
        ) STRICT;
        """,
        """
        -- Files that another has taken the place of, still to be removed.
        CREATE TABLE former (day INTEGER NOT NULL, type TEXT NOT NULL, PRIMARY KEY (day, type)) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE INDEX stranger ON link (album, name) WHERE day IS NULL;
        -- The others are counted (Catalog.mostStrangers).
        DELETE FROM link WHERE day IS NULL AND (album, name) NOT IN (
            SELECT album, name FROM link WHERE day IS NULL ORDER BY album, name LIMIT 1000
        );
        """,
        """
        CREATE TABLE thumbnail (
            day INTEGER PRIMARY KEY,
            source BLOB NOT NULL,      -- SHA-256 of the picture
            version INTEGER NOT NULL,  -- of the program that made them
            refusal TEXT               -- why there are none
        ) STRICT;
        """,
        """
        ALTER TABLE thumbnail ADD COLUMN screens INTEGER NOT NULL DEFAULT 1;   -- whether those in gallery are made
        -- The sizes of the PNG files for file managers, without their texts; null where there are none.
        ALTER TABLE thumbnail ADD COLUMN normal INTEGER;
        ALTER TABLE thumbnail ADD COLUMN large INTEGER;
        ALTER TABLE thumbnail ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;     -- of those in gallery
        CREATE INDEX thumbnail_refused ON thumbnail (source) WHERE refusal IS NOT NULL;
        -- Days whose files have the attributes that their JSON tells.
        CREATE TABLE described (day INTEGER PRIMARY KEY, json BLOB NOT NULL) STRICT;
        """,
        """
        ALTER TABLE thumbnail ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0;   -- whether the refusal says that
        """,
        """
        -- Pictures that their decoding has shown to be damaged. Their days may have others by now.
        CREATE TABLE damaged (
            day INTEGER NOT NULL,
            source BLOB NOT NULL,      -- SHA-256 of the picture
            version INTEGER NOT NULL,  -- of the program that says so
            why TEXT NOT NULL,
            pixels INTEGER,            -- that it should have; null for a poster
            PRIMARY KEY (day, source)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO damaged
            SELECT thumbnail.day, source, version, refusal, \(pixels) FROM thumbnail
            LEFT JOIN file ON file.day = thumbnail.day AND sha256 = source AND role = 'picture'
            WHERE damaged = 1 AND refusal IS NOT NULL;
        """ + outdating,
        """
        ALTER TABLE link ADD COLUMN is_link INTEGER NOT NULL DEFAULT 0;   -- seen to be a symbolic link
        """,
        """
        CREATE INDEX file_content ON file (sha256);
        -- Of a link that was seen to lead out of the mirror, and that might be taken for one to a day when its end is away:
        -- what it says. Empty where that was not noted.
        ALTER TABLE link ADD COLUMN target BLOB;
        UPDATE link SET target = x'' WHERE day IS NULL AND why IN (
            'a link out of the mirror', 'a link to a folder', 'a link to something that is no file'
        );
        CREATE INDEX elsewhere ON link (target, name) WHERE target IS NOT NULL;
        """,
        """
        -- Records whose files were worse than what their days have.
        CREATE TABLE refused (day INTEGER PRIMARY KEY, content BLOB NOT NULL, moment INTEGER NOT NULL) STRICT;
        -- SHA-256 of what links say that led out of the mirror, or may do so (LinkTarget.memory). It stays when they go:
        -- they may come back while their ends are away.
        CREATE TABLE led_elsewhere (number INTEGER PRIMARY KEY, target BLOB NOT NULL UNIQUE) STRICT;
        DROP INDEX elsewhere;
        ALTER TABLE link DROP COLUMN target;
        -- Not all of them had been noted.
        INSERT OR REPLACE INTO fact SELECT 'forgetful', 1 WHERE EXISTS (SELECT 1 FROM link);
        -- Where this mirror is, and was before.
        CREATE TABLE root (path BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
        """,
    ]

    /// Of a row of the table `file`. What claims to be larger is not believed.
    static let pixels = """
        CASE WHEN role = 'picture' AND width < 1000000 AND height < 1000000
            AND width * height / \(StoredFile.mostPixelsInByte) <= file.bytes THEN width * height END
        """

    /// The gallery does not show all days as they are any more when anything has changed that is shown or made of one.
    private static let outdating = [
        "INSERT ON day", "UPDATE ON day", "DELETE ON day", "INSERT ON file", "UPDATE ON file", "DELETE ON file",
        "INSERT ON thumbnail", "UPDATE ON thumbnail", "DELETE ON thumbnail", "DELETE ON described",
    ].enumerated().map { number, change in
        """
        CREATE TRIGGER outdated\(number) AFTER \(change) BEGIN
            UPDATE fact SET value = 0 WHERE name = 'gallery' AND value <> 0;
        END;

        """
    }.joined()
}
