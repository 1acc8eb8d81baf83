SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA agentchat;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE agentchat.event (
    app text NOT NULL COLLATE pg_catalog."C",
    num bigint NOT NULL,
    seq bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    time_ns bigint NOT NULL,
    json text NOT NULL COLLATE pg_catalog."C",
    effect text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE agentchat.scope (
    app text NOT NULL COLLATE pg_catalog."C",
    usr text NOT NULL COLLATE pg_catalog."C",
    rev bigint NOT NULL
);
CREATE TABLE agentchat.session (
    app text NOT NULL COLLATE pg_catalog."C",
    usr text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    num bigint NOT NULL,
    seq bigint NOT NULL,
    rewinds bigint NOT NULL,
    created_us bigint NOT NULL,
    updated_us bigint NOT NULL
);
CREATE TABLE agentchat.state (
    app text NOT NULL COLLATE pg_catalog."C",
    usr text NOT NULL COLLATE pg_catalog."C",
    sid text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    rev bigint NOT NULL
);
CREATE TABLE agentchat.store (
    format bigint NOT NULL,
    reader bigint NOT NULL,
    writer bigint NOT NULL
);
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 1, 'e1', 1795255320500000000, '{"id":"e1","invocation":"i1","author":"user","time":"2026-11-21T10:02:00.5Z","content":{"role":"user","items":[{"type":"text","text":"Where is my order 1234? ä漢😀"}]}}', '{}');
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 2, 'e2', 1795255321123456789, '{"id":"e2","invocation":"i1","author":"desk","time":"2026-11-21T10:02:01.123456789Z","branch":"Root.Desk","content":{"role":"assistant","items":[{"type":"text","text":"It''s \"shipped\"; 100% \\ $1"}]},"actions":{"statedelta":{"cart":{"n":1},"app:language":"Deutsch","user:seen":true,"list":[1,2.0,1e3,null]},"stateadd":{"count":3,"app:lookups":-2,"user:visits":1}},"extra":{"kept":123456789012345678901234567890}}', '{"app":2,"user":2,"sums":{"count":3,"app:lookups":7,"user:visits":1},"undo":[["cart",1,{"n":0}],["list",0],["count",0]]}');
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 3, 'e3', 1795255322000000000, '{"id":"e3","invocation":"i2","author":"desk","time":"2026-11-21T10:02:02Z","actions":{"statedelta":{"gone":"soon"}}}', '{"undo":[["gone",0]]}');
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 4, 'e4', 1795255323000000000, '{"id":"e4","invocation":"i2","author":"desk","time":"2026-11-21T10:02:03Z","actions":{"statedelete":["gone"],"stateadd":{"count":-1}}}', '{"sums":{"count":2},"undo":[["gone",4,"soon"],["count",3,3]]}');
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 5, '771ac225-a793-4908-bb20-849b749a807a', 1795378890631377000, '{"id":"771ac225-a793-4908-bb20-849b749a807a","invocation":"fb8ef5ba-6a70-4f02-af8b-1d336efa89e6","author":"system","time":"2026-11-22T20:21:30.631377Z","actions":{"statedelta":{"topic":"first"}}}', '{"undo":[["topic",0]]}');
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 6, '16e5841e-a2bd-4837-9c48-2ed3f3689d62', 1795378890672267000, '{"id":"16e5841e-a2bd-4837-9c48-2ed3f3689d62","invocation":"2132e267-c2c9-487b-a881-9bf2dcd52d70","author":"system","time":"2026-11-22T20:21:30.672267Z","actions":{"statedelta":{"topic":"second"}}}', '{"undo":[["topic",6,"first"]]}');
INSERT INTO agentchat.event VALUES ('shop', 7342785796025590334, 7, '135605d9-21b7-45d3-86cd-a8c9bee3e047', 1795378890709569000, '{"id":"135605d9-21b7-45d3-86cd-a8c9bee3e047","invocation":"bf4a1562-1aed-44c1-8c53-dc35f51507bf","author":"system","time":"2026-11-22T20:21:30.709569Z","actions":{"stateadd":{"user:visits":5}}}', '{"user":3,"sums":{"user:visits":6}}');
INSERT INTO agentchat.event VALUES ('shop', 1063230885998714736, 1, 'e1', 1795255320500000000, '{"id":"e1","invocation":"i1","author":"user","time":"2026-11-21T10:02:00.5Z","content":{"role":"user","items":[{"type":"text","text":"Where is my order 1234? ä漢😀"}]}}', '{}');
INSERT INTO agentchat.event VALUES ('shop', 1063230885998714736, 2, 'e2', 1795255321123456789, '{"id":"e2","invocation":"i1","author":"desk","time":"2026-11-21T10:02:01.123456789Z","branch":"Root.Desk","content":{"role":"assistant","items":[{"type":"text","text":"It''s \"shipped\"; 100% \\ $1"}]},"actions":{"statedelta":{"cart":{"n":1},"app:language":"Deutsch","user:seen":true,"list":[1,2.0,1e3,null]},"stateadd":{"count":3,"app:lookups":-2,"user:visits":1}},"extra":{"kept":123456789012345678901234567890}}', '{"app":2,"user":2,"sums":{"count":3,"app:lookups":7,"user:visits":1},"undo":[["cart",1,{"n":0}],["list",0],["count",0]]}');
INSERT INTO agentchat.event VALUES ('shop', 1063230885998714736, 9, 'cca31ce2-0c7d-4fe0-86e2-2324b35560b1', 1795378890837902000, '{"id":"cca31ce2-0c7d-4fe0-86e2-2324b35560b1","invocation":"feeec77d-925f-4b50-a6c4-7a27ee1889e1","author":"system","time":"2026-11-22T20:21:30.837902Z","actions":{"statedelta":{"app:tone":{"a":[]}}}}', '{"app":3}');
INSERT INTO agentchat.event VALUES ('shop', 1063230885998714736, 10, 'a5c677f7-f05a-4614-8979-c2ea9d05e5e3', 1795378890881561000, '{"id":"a5c677f7-f05a-4614-8979-c2ea9d05e5e3","invocation":"957e387a-128e-4456-8108-ff06358d8a17","author":"system","time":"2026-11-22T20:21:30.881561Z","actions":{"statedelta":{"key with \"quotes\" and ''apostrophes''":"\n\ttext"}}}', '{"undo":[["key with \"quotes\" and ''apostrophes''",0]]}');
INSERT INTO agentchat.event VALUES ('shop', 6256950443195783110, 1, '5a8833c3-2ee1-4806-822b-8ec7a680fe41', 1795378890969219000, '{"id":"5a8833c3-2ee1-4806-822b-8ec7a680fe41","invocation":"a09927a3-8f54-43ee-9e41-784f5a7cc113","author":"system","time":"2026-11-22T20:21:30.969219Z","actions":{"statedelete":["user:name"]}}', '{"user":2}');
INSERT INTO agentchat.event VALUES ('shop', 6256950443195783110, 2, '09aefcd4-ea36-44e9-92a2-e9ae0d9c031a', 1795378891007181000, '{"id":"09aefcd4-ea36-44e9-92a2-e9ae0d9c031a","invocation":"7e32d44a-4705-4b07-97c0-057112059169","author":"system","time":"2026-11-22T20:21:31.007181Z","actions":{"statedelta":{"user:name":null}}}', '{"user":3}');
INSERT INTO agentchat.event VALUES ('other', 41963074538586180, 1, 'e1', 1795255320500000000, '{"id":"e1","invocation":"i1","author":"user","time":"2026-11-21T10:02:00.5Z","content":{"role":"user","items":[{"type":"text","text":"Where is my order 1234? ä漢😀"}]}}', '{}');
INSERT INTO agentchat.scope VALUES ('shop', 'alice', 3);
INSERT INTO agentchat.scope VALUES ('shop', '', 3);
INSERT INTO agentchat.scope VALUES ('shop', 'böb', 3);
INSERT INTO agentchat.scope VALUES ('other', '', 1);
INSERT INTO agentchat.scope VALUES ('other', 'alice', 1);
INSERT INTO agentchat.session VALUES ('shop', 'alice', 's1', 7342785796025590334, 7, 0, 1795378890536938, 1795378890715188);
INSERT INTO agentchat.session VALUES ('shop', 'alice', 's2', 1063230885998714736, 10, 1, 1795378890751339, 1795378890882850);
INSERT INTO agentchat.session VALUES ('shop', 'böb', 's/3 ~', 6256950443195783110, 2, 0, 1795378890924394, 1795378891008370);
INSERT INTO agentchat.session VALUES ('other', 'alice', 's1', 41963074538586180, 5, 1, 1795378891042017, 1795378891192475);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's1', 'rate', '1.50', 1);
INSERT INTO agentchat.state VALUES ('shop', 'alice', '', 'name', '"Alice"', 1);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's1', 'cart', '{"n":1}', 3);
INSERT INTO agentchat.state VALUES ('shop', '', '', 'language', '"Deutsch"', 2);
INSERT INTO agentchat.state VALUES ('shop', 'alice', '', 'seen', 'true', 2);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's1', 'list', '[1,2.0,1e3,null]', 3);
INSERT INTO agentchat.state VALUES ('shop', '', '', 'lookups', '7', 2);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's1', 'count', '2', 5);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's1', 'topic', '"second"', 7);
INSERT INTO agentchat.state VALUES ('shop', 'alice', '', 'visits', '6', 3);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's2', 'cart', '{"n":1}', 3);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's2', 'list', '[1,2.0,1e3,null]', 3);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's2', 'rate', '1.50', 1);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's2', 'count', '3', 9);
INSERT INTO agentchat.state VALUES ('shop', '', '', 'tone', '{"a":[]}', 3);
INSERT INTO agentchat.state VALUES ('shop', 'alice', 's2', 'key with "quotes" and ''apostrophes''', '"\n\ttext"', 11);
INSERT INTO agentchat.state VALUES ('shop', 'böb', '', 'name', 'null', 3);
INSERT INTO agentchat.state VALUES ('other', '', '', 'language', '"Deutsch"', 1);
INSERT INTO agentchat.state VALUES ('other', 'alice', '', 'seen', 'true', 1);
INSERT INTO agentchat.state VALUES ('other', '', '', 'lookups', '-2', 1);
INSERT INTO agentchat.state VALUES ('other', 'alice', '', 'visits', '1', 1);
INSERT INTO agentchat.store VALUES (1, 1, 1);
ALTER TABLE ONLY agentchat.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (app, num, seq);
ALTER TABLE ONLY agentchat.scope
    ADD CONSTRAINT scope_pkey PRIMARY KEY (app, usr);
ALTER TABLE ONLY agentchat.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (app, usr, id);
ALTER TABLE ONLY agentchat.state
    ADD CONSTRAINT state_pkey PRIMARY KEY (app, usr, sid, key);
CREATE UNIQUE INDEX event_id ON agentchat.event USING btree (app, num, id);
CREATE INDEX event_time ON agentchat.event USING btree (app, num, time_ns);
CREATE INDEX session_by_app ON agentchat.session USING btree (app, updated_us, usr, id);
CREATE INDEX session_by_user ON agentchat.session USING btree (app, usr, updated_us, id);
CREATE UNIQUE INDEX session_num ON agentchat.session USING btree (app, num);
