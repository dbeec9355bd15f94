CREATE TABLE items (
  pk      TEXT    NOT NULL,
  sk      TEXT    NOT NULL,
  doc     TEXT,
  blob    BLOB,
  numbers TEXT,    -- JSON object of integers
  version INTEGER NOT NULL,
  expires INTEGER, -- seconds since 1970
  g1pk    TEXT,
  g1sk    TEXT,
  g2pk    TEXT,
  g2sk    TEXT,
  g3pk    TEXT,    -- the third and fourth index are narrow: they hold all that a query of them reads
  g3sk    TEXT,
  g4pk    TEXT,
  g4sk    TEXT,
  PRIMARY KEY (pk, sk)
) STRICT;

CREATE INDEX items_g1 ON items (g1pk, g1sk, pk, sk) WHERE g1pk IS NOT NULL;
CREATE INDEX items_g2 ON items (g2pk, g2sk, pk, sk) WHERE g2pk IS NOT NULL;
CREATE INDEX items_g3 ON items (g3pk, g3sk, pk, sk) WHERE g3pk IS NOT NULL;
CREATE INDEX items_g4 ON items (g4pk, g4sk, pk, sk) WHERE g4pk IS NOT NULL;
CREATE INDEX items_expires ON items (expires) WHERE expires IS NOT NULL;

-- The change feed, written in the transaction of the change. An image is an item as JSON, NULL where there was none.
-- AUTOINCREMENT never gives a position out again, however many changes were removed.
CREATE TABLE changes (
  position  INTEGER PRIMARY KEY AUTOINCREMENT,
  old_image TEXT,
  new_image TEXT
) STRICT;

-- How far each reader of the feed has come. Changes that all of them have read are removed.
CREATE TABLE readers (
  name     TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
