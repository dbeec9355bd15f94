-- The third index, which is narrow: it holds all that a query of it reads.

ALTER TABLE items ADD COLUMN g3pk TEXT;
ALTER TABLE items ADD COLUMN g3sk TEXT;
CREATE INDEX items_g3 ON items (g3pk, g3sk, pk, sk) WHERE g3pk IS NOT NULL;

ALTER TABLE changes ADD COLUMN old_g3pk TEXT;
ALTER TABLE changes ADD COLUMN old_g3sk TEXT;
ALTER TABLE changes ADD COLUMN new_g3pk TEXT;
ALTER TABLE changes ADD COLUMN new_g3sk TEXT;

DROP TRIGGER items_insert;
DROP TRIGGER items_update;
DROP TRIGGER items_delete;

CREATE TRIGGER items_insert AFTER INSERT ON items BEGIN
  INSERT INTO changes (pk, sk,
    new_doc, new_blob, new_numbers, new_version, new_expires,
    new_g1pk, new_g1sk, new_g2pk, new_g2sk, new_g3pk, new_g3sk)
  VALUES (new.pk, new.sk,
    new.doc, new.blob, new.numbers, new.version, new.expires,
    new.g1pk, new.g1sk, new.g2pk, new.g2sk, new.g3pk, new.g3sk);
END;

CREATE TRIGGER items_update AFTER UPDATE ON items
WHEN old.doc IS NOT new.doc OR old.blob IS NOT new.blob OR old.numbers IS NOT new.numbers
  OR old.version IS NOT new.version OR old.expires IS NOT new.expires
  OR old.g1pk IS NOT new.g1pk OR old.g1sk IS NOT new.g1sk OR old.g2pk IS NOT new.g2pk OR old.g2sk IS NOT new.g2sk
  OR old.g3pk IS NOT new.g3pk OR old.g3sk IS NOT new.g3sk
BEGIN
  INSERT INTO changes (pk, sk,
    old_doc, old_blob, old_numbers, old_version, old_expires,
    old_g1pk, old_g1sk, old_g2pk, old_g2sk, old_g3pk, old_g3sk,
    new_doc, new_blob, new_numbers, new_version, new_expires,
    new_g1pk, new_g1sk, new_g2pk, new_g2sk, new_g3pk, new_g3sk)
  VALUES (new.pk, new.sk,
    old.doc, old.blob, old.numbers, old.version, old.expires,
    old.g1pk, old.g1sk, old.g2pk, old.g2sk, old.g3pk, old.g3sk,
    new.doc, new.blob, new.numbers, new.version, new.expires,
    new.g1pk, new.g1sk, new.g2pk, new.g2sk, new.g3pk, new.g3sk);
END;

CREATE TRIGGER items_delete AFTER DELETE ON items BEGIN
  INSERT INTO changes (pk, sk,
    old_doc, old_blob, old_numbers, old_version, old_expires,
    old_g1pk, old_g1sk, old_g2pk, old_g2sk, old_g3pk, old_g3sk)
  VALUES (old.pk, old.sk,
    old.doc, old.blob, old.numbers, old.version, old.expires,
    old.g1pk, old.g1sk, old.g2pk, old.g2sk, old.g3pk, old.g3sk);
END;
