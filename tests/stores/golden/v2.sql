BEGIN TRANSACTION;
CREATE TABLE segue_conversations (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL UNIQUE,
            conversation_id TEXT NOT NULL,
            bot_id TEXT NOT NULL,
            version BIGINT NOT NULL,
            phase TEXT NOT NULL,
            events BIGINT NOT NULL,
            findings BIGINT NOT NULL,
            started_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            snapshot BLOB NOT NULL
        );
INSERT INTO "segue_conversations" VALUES(1,X'9D58D3430363985E7A8E033C923D8F19','c-1','st-1',2,'ended',4,1,1772323200000000,1772323200000000,X'736E617073686F7420632D313A32');
INSERT INTO "segue_conversations" VALUES(2,X'5DC3BBC90B8CCDA6A71DE9117E4B32B3','c-2','st-2',1,'active',2,0,1772323200000000,1772323200000000,X'736E617073686F7420632D323A31');
CREATE TABLE segue_deliveries (
            identity BLOB PRIMARY KEY,
            conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
            fingerprint TEXT NOT NULL
        );
INSERT INTO "segue_deliveries" VALUES(X'8EC1FCB949C5EDF909FA316DDB7262DB',1,'print of c-1:1');
CREATE TABLE segue_journal (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
            bot_id TEXT NOT NULL,
            owner TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            delivery_id TEXT,
            received_at BIGINT NOT NULL,
            body TEXT NOT NULL,
            phase_before TEXT NOT NULL,
            phase TEXT NOT NULL,
            findings TEXT NOT NULL
        );
INSERT INTO "segue_journal" VALUES(1,1,'st-1','st-1','hooks','d-1',1772323200000000,'"c-1:1"','waiting','active','[]');
INSERT INTO "segue_journal" VALUES(2,1,'st-1','st-1','hooks',NULL,1772323200000000,'"c-1:2"','active','ended','[1]');
INSERT INTO "segue_journal" VALUES(3,2,'st-2','st-2','hooks',NULL,1772323200000000,'"c-2:1"','waiting','active','[]');
CREATE TABLE segue_notices (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation BIGINT NOT NULL REFERENCES segue_conversations ON DELETE CASCADE,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            data TEXT NOT NULL,
            tries BIGINT NOT NULL DEFAULT 0,
            lease TEXT NOT NULL DEFAULT '',
            until BIGINT NOT NULL DEFAULT 0,
            dead BIGINT NOT NULL DEFAULT 0,
            reason TEXT NOT NULL DEFAULT ''
        , since BIGINT);
INSERT INTO "segue_notices" VALUES(1,1,'c-1:1:message:0','message','{"n":0}',1,'',0,1,'ValueError',1772323200000000);
INSERT INTO "segue_notices" VALUES(2,1,'c-1:1:message:1','message','{"n":1}',0,'me',253402214400000000,0,'',1772323200000000);
INSERT INTO "segue_notices" VALUES(3,1,'c-1:1:message:2','message','{"n":2}',0,'me',253402214400000000,0,'',1772323200000000);
CREATE TABLE segue_quarantine (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            endpoint TEXT NOT NULL,
            bot_id TEXT NOT NULL,
            conversation_id TEXT,
            delivery_id TEXT,
            received_at BIGINT NOT NULL,
            reason TEXT NOT NULL,
            codes TEXT NOT NULL,
            body BLOB NOT NULL,
            size BIGINT NOT NULL
        );
INSERT INTO "segue_quarantine" VALUES(1,'hooks','st-1',NULL,NULL,1772323200000000,'unreadable','SG501 SG508',X'FF',1);
CREATE TABLE segue_schema (version BIGINT NOT NULL, probes BIGINT NOT NULL);
INSERT INTO "segue_schema" VALUES(2,0);
CREATE INDEX segue_deliveries_of ON segue_deliveries (conversation);
CREATE INDEX segue_journal_of ON segue_journal (conversation, number);
CREATE INDEX segue_journal_news ON segue_journal (number)
        WHERE findings <> '[]' OR phase <> phase_before
        ;
CREATE INDEX segue_notices_of ON segue_notices (conversation, number);
CREATE INDEX segue_notices_due ON segue_notices (number) WHERE dead = 0;
CREATE INDEX segue_conversations_open ON segue_conversations (number)
        WHERE phase <> 'ended'
        ;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('segue_conversations',2);
INSERT INTO "sqlite_sequence" VALUES('segue_journal',3);
INSERT INTO "sqlite_sequence" VALUES('segue_notices',3);
INSERT INTO "sqlite_sequence" VALUES('segue_quarantine',1);
COMMIT;
