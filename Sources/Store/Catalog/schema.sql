-- The catalog's tables. Every change here needs a new Schema.version: a catalog of another version is made again from
-- the files.

CREATE TABLE day (
    -- Since 1970-01-01: date(day * 86400, 'unixepoch'). Below zero, an item of another list (Day.init(item:of:)).
    day INTEGER PRIMARY KEY,
    list TEXT,                 -- of an item
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_after INTEGER,
    failure TEXT,              -- why, as JSON (Problem)
    -- The rest is null while nothing of the day is in the tree.
    stem TEXT,
    title TEXT,
    has_text INTEGER,
    fetched INTEGER,
    content BLOB,
    lacks INTEGER NOT NULL DEFAULT 0,        -- how many pictures the record shows that are not here
    is_stand_in INTEGER NOT NULL DEFAULT 0,  -- the record is from the list that stands in for APOD Basic
    json_sha256 BLOB,
    json_bytes INTEGER,
    speaks_of TEXT             -- the days that its text leads to, as JSON
) STRICT;
CREATE INDEX unsettled ON day (state) WHERE state <> 'mirrored';
CREATE INDEX json_bytes ON day (json_bytes);
CREATE INDEX owing ON day (day) WHERE state = 'failed' OR lacks > 0 OR is_stand_in;

CREATE TABLE file (
    day INTEGER NOT NULL,
    role TEXT NOT NULL,
    number INTEGER NOT NULL,   -- 1, or that of a further picture
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
    PRIMARY KEY (day, role, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_bytes ON file (bytes);
CREATE INDEX file_content ON file (sha256);
CREATE INDEX file_neighbour ON file (day) WHERE neighbour;

-- The former versions of items: folders below .apod-mirror/replaced.
CREATE TABLE version (
    day INTEGER NOT NULL,
    number INTEGER NOT NULL,
    replaced INTEGER NOT NULL,   -- when; seconds since 1970
    kinds TEXT NOT NULL,         -- of its files: `picture video`
    bytes INTEGER NOT NULL,
    json_bytes INTEGER NOT NULL,
    reverted INTEGER NOT NULL,   -- a person put it aside
    deleted INTEGER NOT NULL,    -- its files were deleted
    PRIMARY KEY (day, number)
) STRICT, WITHOUT ROWID;

-- The items of other lists that were seen. The name was chosen when an item was first seen.
CREATE TABLE item (
    list INTEGER NOT NULL,     -- ListName.number
    id TEXT NOT NULL,          -- as the list has it; empty for the list's cover
    number INTEGER NOT NULL,   -- in the place of a day
    stem TEXT NOT NULL,
    place INTEGER NOT NULL,    -- larger than that of what comes later in the list
    came INTEGER NOT NULL,     -- when it was first seen; seconds since 1970
    PRIMARY KEY (list, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_number ON item (number);

-- Numbers; and as JSON, what does not show itself again: LastFailure, VerifyFindings, in the favorites folder albums
-- that cannot be written and what is left alone, and how another list was read (ListReading).
CREATE TABLE fact (
    list INTEGER NOT NULL,     -- ListName.number; 0: of APOD, or of the whole mirror
    name TEXT NOT NULL,
    value ANY NOT NULL,
    PRIMARY KEY (list, name)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE prose USING fts5 (title, explanation, tokenize = 'porter unicode61 remove_diacritics 2');

CREATE TABLE thumbnail (
    day INTEGER NOT NULL,
    number INTEGER NOT NULL,   -- 1, or that of a further picture
    source BLOB NOT NULL,      -- SHA-256 of the picture
    version INTEGER NOT NULL,  -- of the program that made them
    refusal TEXT,              -- why there are none
    screens INTEGER,           -- the bytes of the thumbnails in gallery; null where there are none
    shared INTEGER,            -- those of the thumbnails for file managers
    color INTEGER,             -- the picture's average, 0xRRGGBB; null where it is not known
    PRIMARY KEY (day, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX thumbnail_refused ON thumbnail (source) WHERE refusal IS NOT NULL;
