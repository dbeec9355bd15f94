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
  PRIMARY KEY (pk, sk)
) STRICT;

CREATE INDEX items_g1 ON items (g1pk, g1sk, pk, sk) WHERE g1pk IS NOT NULL;
CREATE INDEX items_g2 ON items (g2pk, g2sk, pk, sk) WHERE g2pk IS NOT NULL;
CREATE INDEX items_expires ON items (expires) WHERE expires IS NOT NULL;

-- The change feed. The triggers below fill it in the transaction of the write, whoever writes. A version is NULL where
-- there was no item.
CREATE TABLE changes (
  position    INTEGER PRIMARY KEY AUTOINCREMENT,
  pk          TEXT NOT NULL,
  sk          TEXT NOT NULL,
  old_doc     TEXT, old_blob BLOB, old_numbers TEXT, old_version INTEGER, old_expires INTEGER,
  old_g1pk    TEXT, old_g1sk TEXT, old_g2pk    TEXT, old_g2sk    TEXT,
  new_doc     TEXT, new_blob BLOB, new_numbers TEXT, new_version INTEGER, new_expires INTEGER,
  new_g1pk    TEXT, new_g1sk TEXT, new_g2pk    TEXT, new_g2sk    TEXT
) STRICT;

-- How far the feed was at which time, in seconds since 1970, so that old changes can be told.
CREATE TABLE marks (
  at       INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;

CREATE TRIGGER items_insert AFTER INSERT ON items BEGIN
  INSERT INTO changes (pk, sk,
    new_doc, new_blob, new_numbers, new_version, new_expires, new_g1pk, new_g1sk, new_g2pk, new_g2sk)
  VALUES (new.pk, new.sk,
    new.doc, new.blob, new.numbers, new.version, new.expires, new.g1pk, new.g1sk, new.g2pk, new.g2sk);
END;

CREATE TRIGGER items_update AFTER UPDATE ON items
WHEN old.doc IS NOT new.doc OR old.blob IS NOT new.blob OR old.numbers IS NOT new.numbers
  OR old.version IS NOT new.version OR old.expires IS NOT new.expires
  OR old.g1pk IS NOT new.g1pk OR old.g1sk IS NOT new.g1sk OR old.g2pk IS NOT new.g2pk OR old.g2sk IS NOT new.g2sk
BEGIN
  INSERT INTO changes (pk, sk,
    old_doc, old_blob, old_numbers, old_version, old_expires, old_g1pk, old_g1sk, old_g2pk, old_g2sk,
    new_doc, new_blob, new_numbers, new_version, new_expires, new_g1pk, new_g1sk, new_g2pk, new_g2sk)
  VALUES (new.pk, new.sk,
    old.doc, old.blob, old.numbers, old.version, old.expires, old.g1pk, old.g1sk, old.g2pk, old.g2sk,
    new.doc, new.blob, new.numbers, new.version, new.expires, new.g1pk, new.g1sk, new.g2pk, new.g2sk);
END;

CREATE TRIGGER items_delete AFTER DELETE ON items BEGIN
  INSERT INTO changes (pk, sk,
    old_doc, old_blob, old_numbers, old_version, old_expires, old_g1pk, old_g1sk, old_g2pk, old_g2sk)
  VALUES (old.pk, old.sk,
    old.doc, old.blob, old.numbers, old.version, old.expires, old.g1pk, old.g1sk, old.g2pk, old.g2sk);
END;
