-- The catalog's tables. Every change here needs a new Schema.version: a catalog of another version is made again from
-- the files.

-- What is known of each key. The other tables call it by its number.
CREATE TABLE item (
    -- Of a day, days since 1970-01-01: date(n * 86400, 'unixepoch'). Of an item of another list, a larger number that is
    -- used once (Schema).
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    list TEXT NOT NULL,        -- empty: APOD
    stem TEXT,                 -- of its files; of a day, null while nothing of it is in the tree
    -- Of an item of another list that was seen. Its stem was chosen then.
    mark TEXT,                 -- Key.mark; null for a day
    id TEXT,                   -- as the list has it; empty for the list's cover; null where it is not known
    place INTEGER,             -- larger than that of what comes later in the list
    came INTEGER,              -- when it was first seen; seconds since 1970

    state TEXT,                -- null: it was not asked for
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_after INTEGER,
    failure TEXT,              -- why, as JSON (Problem)
    -- The rest is null while nothing of it is in the tree.
    title TEXT,
    has_text INTEGER,
    fetched INTEGER,
    mirror TEXT,               -- what else the JSON's part `mirror` says, as JSON (MirrorPart); null for nothing
    content BLOB,
    lacks INTEGER NOT NULL DEFAULT 0,        -- how many pictures the record shows that are not here
    is_stand_in INTEGER NOT NULL DEFAULT 0,  -- the record is from the list that stands in for APOD Basic
    json_sha256 BLOB,
    json_bytes INTEGER,
    speaks_of TEXT             -- the days that its text leads to, as JSON
) STRICT;
CREATE UNIQUE INDEX named ON item (list, stem) WHERE mark IS NOT NULL;
CREATE UNIQUE INDEX called ON item (list, id) WHERE id IS NOT NULL;
CREATE INDEX marked ON item (mark) WHERE mark IS NOT NULL;
CREATE INDEX stored ON item (list, n, json_bytes) WHERE json_bytes IS NOT NULL;
CREATE INDEX json_bytes ON item (json_bytes);
CREATE INDEX unsettled ON item (list, state) WHERE state <> 'mirrored';
CREATE INDEX owing ON item (list, n) WHERE state = 'failed' OR lacks > 0 OR is_stand_in;

CREATE TABLE file (
    n INTEGER NOT NULL,        -- of its item
    role TEXT NOT NULL,
    number INTEGER NOT NULL,   -- 1, or that of a further picture
    list TEXT NOT NULL,        -- its item's
    type TEXT NOT NULL,
    address TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    width INTEGER,
    height INTEGER,
    former INTEGER NOT NULL DEFAULT 0,   -- the record has dropped it
    alt TEXT,
    rollover INTEGER NOT NULL DEFAULT 0,
    neighbour INTEGER NOT NULL DEFAULT 0,   -- another mirror gave it, and it was not compared with NASA's
    -- The server's validators, to ask it whether the file has changed.
    etag TEXT,
    modified TEXT,
    PRIMARY KEY (n, role, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_list ON file (list);
CREATE INDEX file_bytes ON file (bytes);
CREATE INDEX file_content ON file (sha256);
CREATE INDEX file_neighbour ON file (n) WHERE neighbour;

-- Sums over the rows of a list, which the triggers keep: `status` asks for them all the time.
CREATE TABLE total (
    list TEXT PRIMARY KEY,
    items INTEGER NOT NULL DEFAULT 0,       -- of which something is in the tree
    json_bytes INTEGER NOT NULL DEFAULT 0,
    pictures INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0        -- of files
) STRICT, WITHOUT ROWID;
CREATE TRIGGER item_came AFTER INSERT ON item WHEN new.json_bytes IS NOT NULL BEGIN
    INSERT INTO total (list, items, json_bytes) VALUES (new.list, 1, new.json_bytes) ON CONFLICT DO UPDATE SET
        (items, json_bytes) = (items + 1, json_bytes + excluded.json_bytes);
END;
CREATE TRIGGER item_changed AFTER UPDATE OF json_bytes ON item WHEN new.json_bytes IS NOT old.json_bytes BEGIN
    INSERT INTO total (list, items, json_bytes)
    VALUES (new.list, (new.json_bytes IS NOT NULL) - (old.json_bytes IS NOT NULL),
        ifnull(new.json_bytes, 0) - ifnull(old.json_bytes, 0))
    ON CONFLICT DO UPDATE SET (items, json_bytes) = (items + excluded.items, json_bytes + excluded.json_bytes);
END;
CREATE TRIGGER item_went AFTER DELETE ON item WHEN old.json_bytes IS NOT NULL BEGIN
    UPDATE total SET (items, json_bytes) = (items - 1, json_bytes - old.json_bytes) WHERE list = old.list;
END;
CREATE TRIGGER file_came AFTER INSERT ON file BEGIN
    INSERT INTO total (list, pictures, bytes) VALUES (new.list, new.role IN ('picture', 'also'), new.bytes)
    ON CONFLICT DO UPDATE SET (pictures, bytes) = (pictures + excluded.pictures, bytes + excluded.bytes);
END;
CREATE TRIGGER file_went AFTER DELETE ON file BEGIN
    UPDATE total SET (pictures, bytes) = (pictures - (old.role IN ('picture', 'also')), bytes - old.bytes)
    WHERE list = old.list;
END;

-- The former versions of items: folders below .apod-mirror/replaced. An item has a row as long as it has one of these.
CREATE TABLE version (
    n INTEGER NOT NULL,
    number INTEGER NOT NULL,
    replaced INTEGER NOT NULL,   -- when; seconds since 1970
    kinds TEXT NOT NULL,         -- of its files: `picture video`
    bytes INTEGER NOT NULL,
    json_bytes INTEGER NOT NULL,
    reverted INTEGER NOT NULL,   -- a person put it aside
    deleted INTEGER NOT NULL,    -- its files were deleted
    PRIMARY KEY (n, number)
) STRICT, WITHOUT ROWID;

-- Numbers; and as JSON, what does not show itself again: LastFailure, VerifyFindings, in the favorites folder albums
-- that cannot be written and what is left alone, and how another list was read (ListReading).
CREATE TABLE fact (
    list TEXT NOT NULL,        -- empty: of APOD, or of the whole mirror
    name TEXT NOT NULL,
    value ANY NOT NULL,
    PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE prose USING fts5 (title, explanation, tokenize = 'porter unicode61 remove_diacritics 2');

CREATE TABLE thumbnail (
    n INTEGER NOT NULL,
    number INTEGER NOT NULL,   -- 1, or that of a further picture
    source BLOB NOT NULL,      -- SHA-256 of the picture
    version INTEGER NOT NULL,  -- of the program that made them
    refusal TEXT,              -- why there are none
    screens INTEGER,           -- the bytes of the thumbnails in gallery; null where there are none
    shared INTEGER,            -- those of the thumbnails for file managers
    color INTEGER,             -- the picture's average, 0xRRGGBB; null where it is not known
    PRIMARY KEY (n, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX thumbnail_refused ON thumbnail (source) WHERE refusal IS NOT NULL;
