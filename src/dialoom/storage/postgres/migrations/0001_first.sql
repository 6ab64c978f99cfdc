-- Forward only: a migration that has run anywhere is never changed again.
-- works with: 1
-- All tables lie in the schema "dialoom", which is on the connection's search path. Texts compare by bytes (COLLATE "C"),
-- as the history API orders them, and each primary key begins with the bot, so that tables can be distributed by it.

create table bots (
    bot text collate "C" not null primary key,
    active text collate "C" not null
);

create table versions (
    bot text collate "C" not null,
    version text collate "C" not null,
    files bytea not null,
    created_at bigint not null,
    activated_at bigint not null,
    withdrawn_at bigint,
    primary key (bot, version)
);

-- The service processes that are alive: each says so every 2 s, and is taken for dead after 6 (by this clock alone, so
-- that clocks of machines need not agree). Small enough to stand everywhere; it belongs to no bot.
create table processes (
    process text collate "C" not null primary key,
    release text not null,
    started_at timestamptz not null,
    beat_at timestamptz not null
);

-- Which process runs the turns of a chat (null: none), and the last number that its inbox gave: numbers are given under
-- the row's lock, so that their order is the order of the commits. A chat keeps its row until its user is forgotten.
create table leases (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    holder text collate "C",
    last bigint not null default 0,
    primary key (bot, "user", channel)
) with (fillfactor = 80);
create index leases_holder on leases (holder) where holder is not null;

-- The memory of each chat, and its timers. timers: name to due time. wake: at most the least of them, so that a timer
-- that is only put off leaves the index alone.
create table chats (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    state bytea not null,
    revision bigint not null,
    position bigint not null,
    timers jsonb,
    wake bigint,
    primary key (bot, "user", channel)
) with (fillfactor = 70);
-- Sealed bytes do not compress.
alter table chats alter column state set storage external;
create index chats_wake on chats (wake) where wake is not null;

create table inbox (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    number bigint not null,
    id text collate "C" not null,
    event bytea not null,
    dedupe text collate "C",
    body bytea,
    accepted_at bigint not null,
    primary key (bot, "user", channel, number)
);

create table journal (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    number bigint not null,
    call text collate "C" not null,
    result bytea not null,
    primary key (bot, "user", channel, number, call)
);

-- Inbound keys that were seen. number: of the inbox row whose turn still runs; answer: null until that is done.
create table answers (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    dedupe text collate "C" not null,
    body bytea not null,
    number bigint,
    answer bytea,
    seen_at bigint not null,
    primary key (bot, "user", channel, dedupe)
);
create index answers_seen_at on answers (bot, seen_at);

-- Deliveries to the outside. Those of a chat and receiver go by revision (of the chat, by the turn that wrote it), then by
-- id, which rises within a turn: no clock decides. is_first: of each chat and receiver exactly one that is not dead is
-- the next. Only that one lies in the index of what is due, so that a look costs what it takes, not what waits behind.
-- due: 0 for those behind that were never first; they are due when they are.
-- Whoever moves the mark has the chat's lease row locked.
create table outbox (
    bot text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    receiver text collate "C" not null,
    id text collate "C" not null,
    revision bigint not null,
    carries bigint not null,
    created_at bigint not null,
    due bigint not null,
    attempts integer not null,
    is_first boolean not null,
    dead_at bigint,
    reason text,
    body bytea not null,
    primary key (bot, "user", channel, receiver, id)
);
alter table outbox alter column body set storage external;
create index outbox_due on outbox (due, id) where is_first;
create index outbox_line on outbox (bot, "user", channel, receiver, revision, id) where dead_at is null;
create index outbox_dead on outbox (bot, created_at, id) where dead_at is not null;

create table chores (
    bot text collate "C" not null,
    name text collate "C" not null,
    due bigint not null,
    primary key (bot, name)
);

create table tokens (
    bot text collate "C" not null,
    id text collate "C" not null,
    kind text collate "C" not null,
    hash bytea not null,
    sealed bytea,
    channel text collate "C",
    scopes text not null,
    name text not null,
    created_at bigint not null,
    revoked_at bigint,
    primary key (bot, id)
);
create index tokens_hash on tokens (hash);

create table lists (
    bot text collate "C" not null,
    type text collate "C" not null,
    source bytea not null,
    elements bytea not null,
    fetched_at bigint not null,
    primary key (bot, type)
);

-- sent: 1 when a message names it, 0 before that, -1 while it is being deleted.
create table files (
    bot text collate "C" not null,
    id text collate "C" not null,
    channel text collate "C" not null,
    "user" text collate "C" not null,
    about bytea not null,
    size bigint not null,
    created_at bigint not null,
    sent smallint not null,
    primary key (bot, id)
);
create index files_user on files (bot, "user", channel, created_at, size);
create index files_channel on files (bot, channel, created_at, size);
create index files_unsent on files (bot, created_at) where sent <= 0;

create table file_pieces (
    bot text collate "C" not null,
    id text collate "C" not null,
    number integer not null,
    content bytea not null,
    primary key (bot, id, number)
);
alter table file_pieces alter column content set storage external;

-- The records of the history API: what is answered is "document", as it stands; body, the same as JSONB, and the columns
-- are for finding it.
create table conversations (
    bot text collate "C" not null,
    id text collate "C" not null,
    "user" text collate "C" not null,
    channel text collate "C" not null,
    status text collate "C" not null,
    started_at text collate "C" not null,
    updated_at text collate "C" not null,
    ended_at text collate "C",
    goal text collate "C",
    errors integer not null,
    messages_user integer not null,
    messages_bot integer not null,
    provider_name text collate "C" not null,
    first_name text collate "C",
    last_name text collate "C",
    document text collate "C" not null,
    body jsonb not null,
    primary key (bot, id)
) with (fillfactor = 80);
create index conversations_started_at on conversations (bot, started_at, id);
create index conversations_status on conversations (bot, status, started_at, id);
create index conversations_errors on conversations (bot, errors, started_at, id);
create index conversations_messages_user on conversations (bot, messages_user, started_at, id);
create index conversations_provider_name on conversations (bot, provider_name, started_at, id);
-- A sort has null below all values.
create index conversations_first_name on conversations (bot, first_name nulls first, started_at, id);
create index conversations_last_name on conversations (bot, last_name nulls first, started_at, id);
create index conversations_user on conversations (bot, "user", channel);

create table messages (
    bot text collate "C" not null,
    id text collate "C" not null,
    conversation text collate "C" not null,
    "user" text collate "C" not null,
    channel text collate "C" not null,
    sender text collate "C" not null,
    type text collate "C" not null,
    created_at text collate "C" not null,
    sequence integer not null,
    position bigint not null,
    client_id text collate "C",
    later smallint,
    document text collate "C" not null,
    body jsonb not null,
    primary key (bot, id)
);
create index messages_conversation on messages (bot, conversation, sequence);
create index messages_user on messages (bot, "user", channel, position);
create index messages_created_at on messages (bot, created_at, id);
create index messages_later on messages (bot, "user", channel, position) where later is not null;

-- -- Functions. Each runs as one statement of its caller, so that a turn costs one way to the server and back. Their plans
-- are made while the tables are small and kept while they grow: so they are told to go by the indexes.

-- Milliseconds since 1970 by the server's clock, by which deliveries are due and claims hold, so that the clocks of the
-- machines that post them need not agree. Where a caller gives a time of his own ("clock_at"), that counts.
create function server_clock() returns bigint language sql volatile as $$
    select (extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- The least due time of a chat's timers.
create function first_timer(timers jsonb) returns bigint language sql immutable as $$
    select min(value::bigint) from jsonb_each_text(timers)
$$;

-- A process says that it is alive; a new one registers, and those that know each other hear of it. Dead ones go.
-- is_known: false for one that is taken for dead already. others: how many more are alive.
create function beat(me text, its_release text, void_seconds float8, is_new boolean)
returns table (is_known boolean, others bigint) language plpgsql as $$
declare
    limit_at timestamptz := clock_timestamp() - make_interval(secs => void_seconds);
begin
    if is_new then
        insert into processes (process, release, started_at, beat_at)
        values (me, its_release, clock_timestamp(), clock_timestamp());
        perform pg_notify('dialoom', jsonb_build_array(me, '[]'::jsonb)::text);
        is_known := true;
    else
        update processes set beat_at = clock_timestamp() where process = me and beat_at > limit_at;
        is_known := found;
    end if;
    delete from processes where process in (
        select process from processes where beat_at <= limit_at for update skip locked
    );
    select count(*) into others from processes where process <> me and beat_at > limit_at;
    return next;
end
$$;

-- Take a chat: one that is free, ours, or of a dead process. No row when another has it; else one row with the chat's
-- memory, then its inbox. Memory and inbox are read after the lease is locked, so that no turn is missed.
create function hold_chat(me text, void_seconds float8, its_bot text, its_channel text, its_user text)
returns table (
    state bytea, revision bigint, "position" bigint,
    number bigint, id text, event bytea, dedupe text, body bytea, accepted_at bigint
) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
begin
    -- Nobody waits for the disk: what a crash takes away is a lease, which each commit asks for again (180 against 660 us).
    perform set_config('synchronous_commit', 'off', true);
    insert into leases as l (bot, channel, "user", holder) values (its_bot, its_channel, its_user, me)
    on conflict (bot, "user", channel) do update set holder = me
    where l.holder is null or l.holder = me or not exists (
        select from processes p
        where p.process = l.holder and p.beat_at > clock_timestamp() - make_interval(secs => void_seconds)
    );
    if not found then
        return;
    end if;
    return query
    select c.state, c.revision, c.position, null::bigint, null, null::bytea, null, null::bytea, null::bigint
    from (select) one
    left join chats c on c.bot = its_bot and c.channel = its_channel and c."user" = its_user;
    return query
    select null::bytea, null::bigint, null::bigint, i.number, i.id, i.event, i.dedupe, i.body, i.accepted_at
    from inbox i where i.bot = its_bot and i.channel = its_channel and i."user" = its_user order by i.number;
end
$$;

-- Lock the leases of chats of a bot, always in the order of their keys, so that two groups never wait for each other;
-- those that are missing are made, without a holder.
create function lock_chats(its_bot text, channels text[], users text[])
returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    locked bigint;
begin
    loop
        perform 1 from unnest(channels, users) as k (channel, "user")
        join leases l on l.bot = its_bot and l."user" = k."user" and l.channel = k.channel
        order by l."user", l.channel for no key update of l;
        get diagnostics locked = row_count;
        exit when locked = cardinality(users);
        insert into leases (bot, channel, "user")
        select its_bot, k.channel, k."user" from unnest(channels, users) as k (channel, "user")
        order by k."user" collate "C", k.channel collate "C"
        on conflict do nothing;
    end loop;
end
$$;

-- Which of a group's payloads name a file that is not of their user, or is going. The others' files are locked.
create function gone_files(its_bot text, channels text[], users text[], places integer[], ids text[])
returns table (place integer) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    perform 1 from unnest(ids) as n (id) join files f on f.bot = its_bot and f.id = n.id
    order by f.id for no key update of f;
    return query
    select distinct n.place from unnest(places, ids) as n (place, id)
    where not exists (
        select from files f where f.bot = its_bot and f.id = n.id and f.sent >= 0
            and f.channel = channels[n.place] and f."user" = users[n.place]
    );
end
$$;

-- Accept events of chats of one bot, of each chat one. All are written, and a row each gives number and how many wait
-- before it; or nothing is written, and the rows are those that cannot go in: "seen" (with what is known of its key),
-- "full", "gone" (a file).
create function accept_events(
    its_bot text, channels text[], users text[], ids text[], events bytea[], dedupes text[], bodies bytea[],
    times bigint[], mosts integer[], file_places integer[], file_ids text[]
)
returns table (place bigint, verdict text, number bigint, ahead bigint, body bytea, answer bytea) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    perform lock_chats(its_bot, channels, users);
    return query
    select e.place, case when a.dedupe is not null then 'seen' else 'full' end, null::bigint, null::bigint, a.body, a.answer
    from unnest(channels, users, dedupes, mosts) with ordinality as e (channel, "user", dedupe, most, place)
    left join answers a on a.bot = its_bot and a."user" = e."user" and a.channel = e.channel and a.dedupe = e.dedupe
    where a.dedupe is not null or e.most <= (
        select count(*) from inbox i where i.bot = its_bot and i."user" = e."user" and i.channel = e.channel
    );
    if found then
        return;
    end if;
    if cardinality(file_ids) > 0 then
        return query
        select g.place::bigint, 'gone', null::bigint, null::bigint, null::bytea, null::bytea
        from gone_files(its_bot, channels, users, file_places, file_ids) g;
        if found then
            return;
        end if;
        update files f set sent = 1 from unnest(file_ids) as n (id) where f.bot = its_bot and f.id = n.id;
    end if;
    insert into answers (bot, channel, "user", dedupe, body, number, seen_at)
    select its_bot, e.channel, e."user", e.dedupe, e.body, l.last + 1, e.at
    from unnest(channels, users, dedupes, bodies, times) as e (channel, "user", dedupe, body, at)
    join leases l on l.bot = its_bot and l."user" = e."user" and l.channel = e.channel
    where e.dedupe is not null;
    insert into inbox (bot, channel, "user", number, id, event, dedupe, body, accepted_at)
    select its_bot, e.channel, e."user", l.last + 1, e.id, e.event, e.dedupe, e.body, e.at
    from unnest(channels, users, ids, events, dedupes, bodies, times)
        as e (channel, "user", id, event, dedupe, body, at)
    join leases l on l.bot = its_bot and l."user" = e."user" and l.channel = e.channel;
    return query
    with given as (
        update leases l set last = l.last + 1
        from unnest(channels, users) with ordinality as e (channel, "user", place)
        where l.bot = its_bot and l."user" = e."user" and l.channel = e.channel
        returning e.place, l.channel, l."user", l.last
    )
    select g.place, 'new', g.last, (
        select count(*) from inbox i
        where i.bot = its_bot and i."user" = g."user" and i.channel = g.channel and i.number < g.last
    ), null::bytea, null::bytea
    from given g;
end
$$;

-- Write turns of chats of one bot, of each chat one. All are written and no row is given; or nothing is written, and
-- the rows are those that cannot go in: "seen" (with what is known of its key), "done" (its inbox row is gone),
-- "overtaken" (another revision is stored, an earlier event waits, or another process has the chat), "gone" (a file).
-- Arrays of records, messages, files and deliveries have entries for all turns; "places" say whose.
create function commit_turns(
    me text, its_bot text,
    channels text[], users text[], numbers bigint[], dedupes text[], bodies bytea[], replies bytea[], times bigint[],
    states bytea[], revisions bigint[], positions bigint[], timer_patches text[], wakes bigint[], carried bigint[],
    record_ids text[], record_users text[], record_channels text[], statuses text[], started text[], updated text[],
    ended text[], goals text[], errors integer[], counts_user integer[], counts_bot integer[], providers text[],
    first_names text[], last_names text[], record_documents text[], record_bodies text[],
    message_ids text[], conversations text[], message_users text[], message_channels text[], senders text[],
    types text[], created text[], sequences integer[], message_positions bigint[], client_ids text[],
    laters smallint[], message_documents text[], message_bodies text[],
    file_places integer[], file_ids text[],
    outgoing_places integer[], receivers text[], outgoing_ids text[], outgoing_bodies bytea[], carries bigint[],
    outgoing_created bigint[], delays bigint[], attempts integer[], clock_at bigint
)
returns table (place bigint, verdict text, body bytea, answer bytea) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    perform lock_chats(its_bot, channels, users);
    return query
    select t.place, case
        when a.dedupe is not null and (t.number is null or a.number is distinct from t.number or a.answer is not null)
            then 'seen'
        when t.number is not null and own.number is null then 'done'
        else 'overtaken' end,
        a.body, a.answer
    from unnest(channels, users, numbers, dedupes, revisions)
        with ordinality as t (channel, "user", number, dedupe, revision, place)
    join leases l on l.bot = its_bot and l."user" = t."user" and l.channel = t.channel
    left join chats c on c.bot = its_bot and c."user" = t."user" and c.channel = t.channel
    left join answers a on a.bot = its_bot and a."user" = t."user" and a.channel = t.channel and a.dedupe = t.dedupe
    left join inbox own
        on own.bot = its_bot and own."user" = t."user" and own.channel = t.channel and own.number = t.number
    where l.holder is distinct from me
        or coalesce(c.revision, 0) <> t.revision - 1
        or a.dedupe is not null and (t.number is null or a.number is distinct from t.number or a.answer is not null)
        or t.number is not null and own.number is null
        or exists (
            select from inbox i where i.bot = its_bot and i."user" = t."user" and i.channel = t.channel
                and (t.number is null or i.number < t.number)
        );
    if found then
        return;
    end if;
    if cardinality(file_ids) > 0 then
        return query
        select g.place::bigint, 'gone', null::bytea, null::bytea
        from gone_files(its_bot, channels, users, file_places, file_ids) g;
        if found then
            return;
        end if;
        update files f set sent = 1 from unnest(file_ids) as n (id) where f.bot = its_bot and f.id = n.id;
    end if;
    update chats c set
        state = t.state, revision = t.revision, position = t.position, wake = least(c.wake, t.wake),
        timers = case when t.timers is null then c.timers
            else jsonb_strip_nulls(coalesce(c.timers, '{}') || t.timers::jsonb) end
    from unnest(channels, users, states, revisions, positions, timer_patches, wakes)
        as t (channel, "user", state, revision, position, timers, wake)
    where c.bot = its_bot and c."user" = t."user" and c.channel = t.channel and t.revision > 1;
    if 1 = any (revisions) then
        insert into chats (bot, channel, "user", state, revision, position, timers, wake)
        select its_bot, t.channel, t."user", t.state, 1, t.position, jsonb_strip_nulls(t.timers::jsonb), t.wake
        from unnest(channels, users, states, revisions, positions, timer_patches, wakes)
            as t (channel, "user", state, revision, position, timers, wake)
        where t.revision = 1;
    end if;
    insert into conversations (
        bot, id, "user", channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
        provider_name, first_name, last_name, document, body
    )
    select its_bot, r.id, r."user", r.channel, r.status, r.started_at, r.updated_at, r.ended_at, r.goal, r.errors,
        r.messages_user, r.messages_bot, r.provider_name, r.first_name, r.last_name, r.document,
        coalesce(r.body, r.document)::jsonb
    from unnest(
        record_ids, record_users, record_channels, statuses, started, updated, ended, goals, errors, counts_user,
        counts_bot, providers, first_names, last_names, record_documents, record_bodies
    ) as r (
        id, "user", channel, status, started_at, updated_at, ended_at, goal, errors, messages_user, messages_bot,
        provider_name, first_name, last_name, document, body
    )
    on conflict (bot, id) do update set
        "user" = excluded."user", channel = excluded.channel, status = excluded.status,
        started_at = excluded.started_at, updated_at = excluded.updated_at, ended_at = excluded.ended_at,
        goal = excluded.goal, errors = excluded.errors, messages_user = excluded.messages_user,
        messages_bot = excluded.messages_bot, provider_name = excluded.provider_name,
        first_name = excluded.first_name, last_name = excluded.last_name, document = excluded.document,
        body = excluded.body;
    insert into messages (
        bot, id, conversation, "user", channel, sender, type, created_at, sequence, position, client_id, later,
        document, body
    )
    select its_bot, m.id, m.conversation, m."user", m.channel, m.sender, m.type, m.created_at, m.sequence, m.position,
        m.client_id, m.later, m.document, coalesce(m.body, m.document)::jsonb
    from unnest(
        message_ids, conversations, message_users, message_channels, senders, types, created, sequences,
        message_positions, client_ids, laters, message_documents, message_bodies
    ) as m (
        id, conversation, "user", channel, sender, type, created_at, sequence, position, client_id, later, document,
        body
    );
    if cardinality(array_remove(carried, null)) > 0 then
        perform carry_messages(its_bot, channels, users, carried);
    end if;
    insert into answers (bot, channel, "user", dedupe, body, number, answer, seen_at)
    select its_bot, t.channel, t."user", t.dedupe, t.body, t.number, t.answer, t.at
    from unnest(channels, users, dedupes, bodies, numbers, replies, times)
        as t (channel, "user", dedupe, body, number, answer, at)
    where t.dedupe is not null
    on conflict (bot, "user", channel, dedupe) do update set answer = excluded.answer, seen_at = excluded.seen_at;
    if cardinality(array_remove(numbers, null)) > 0 then
        delete from inbox i using unnest(channels, users, numbers) as t (channel, "user", number)
        where i.bot = its_bot and i."user" = t."user" and i.channel = t.channel and i.number = t.number;
        delete from journal j using unnest(channels, users, numbers) as t (channel, "user", number)
        where j.bot = its_bot and j."user" = t."user" and j.channel = t.channel and j.number = t.number;
    end if;
    if cardinality(outgoing_ids) > 0 then
        insert into outbox (
            bot, channel, "user", receiver, id, revision, carries, created_at, due, attempts, is_first, body
        )
        select its_bot, channels[o.place], users[o.place], o.receiver, o.id, revisions[o.place], o.carries, o.created_at,
            case when o.is_first then coalesce(clock_at, server_clock()) + o.delay else 0 end, o.attempts, o.is_first,
            o.body
        from (
            select n.*, n.id = min(n.id collate "C") over (partition by n.place, n.receiver) and not exists (
                select from outbox e where e.bot = its_bot and e."user" = users[n.place] and e.channel = channels[n.place]
                    and e.receiver = n.receiver and e.dead_at is null
            ) as is_first
            from unnest(
                outgoing_places, receivers, outgoing_ids, outgoing_bodies, carries, outgoing_created, delays, attempts
            ) as n (place, receiver, id, body, carries, created_at, delay, attempts)
        ) o;
    end if;
end
$$;

-- Keep results of outside calls, of each chat one; the first that was stored stays. The rows are those that are not kept:
-- of a turn that is done, or of a chat that is another process's by now.
create function keep_results(
    me text, its_bot text, channels text[], users text[], numbers bigint[], calls text[], contents bytea[]
)
returns table (place bigint) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    perform lock_chats(its_bot, channels, users);
    insert into journal (bot, channel, "user", number, call, result)
    select its_bot, r.channel, r."user", r.number, r.call, r.result
    from unnest(channels, users, numbers, calls, contents) as r (channel, "user", number, call, result)
    join leases l on l.bot = its_bot and l."user" = r."user" and l.channel = r.channel and l.holder = me
    join inbox i
        on i.bot = its_bot and i."user" = r."user" and i.channel = r.channel and i.number = r.number
    on conflict do nothing;
    return query
    select r.place from unnest(channels, users, numbers) with ordinality as r (channel, "user", number, place)
    where not exists (
        select from leases l
        join inbox i on i.bot = l.bot and i."user" = l."user" and i.channel = l.channel and i.number = r.number
        where l.bot = its_bot and l."user" = r."user" and l.channel = r.channel and l.holder = me
    );
end
$$;

-- What an answer has carried waits no more: of each chat the messages up to a position (null: none).
create function carry_messages(its_bot text, channels text[], users text[], positions bigint[])
returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    update messages m set later = null from unnest(channels, users, positions) as t (channel, "user", position)
    where m.bot = its_bot and m."user" = t."user" and m.channel = t.channel and m.position <= t.position
        and m.later is not null;
end
$$;

-- Chats that may have a timer that is due (null: at any time), the first first, of equal ones by their key: those that
-- are ours or that no living process has.
create function waking_chats(me text, void_seconds float8, now_at bigint, most integer)
returns table (bot text, channel text, "user" text, wake bigint, timers jsonb) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    return query
    select c.bot, c.channel, c."user", c.wake, c.timers from chats c
    left join leases l on l.bot = c.bot and l."user" = c."user" and l.channel = c.channel
    where c.wake is not null and c.wake <= coalesce(now_at, 9223372036854775807) and (
        l.holder is null or l.holder = me or not exists (
            select from processes p
            where p.process = l.holder and p.beat_at > clock_timestamp() - make_interval(secs => void_seconds)
        )
    )
    order by c.wake, c.bot, c.channel, c."user" limit most;
end
$$;

-- Timers that are due, of chats that are ours or that no living process has. A chat that wakes with nothing due is given
-- its next wake-up first; one that a turn is writing just now is left for the next time.
create function due_timers(me text, void_seconds float8, now_at bigint, most integer)
returns table (bot text, channel text, "user" text, name text, due bigint) language plpgsql as $$
#variable_conflict use_column
begin
    loop
        update chats c set wake = first_timer(c.timers) from (
            select k.bot, k."user", k.channel from waking_chats(me, void_seconds, now_at, most) w
            join chats k on k.bot = w.bot and k."user" = w."user" and k.channel = w.channel
            where first_timer(k.timers) is distinct from k.wake
            for no key update of k skip locked
        ) early
        where c.bot = early.bot and c."user" = early."user" and c.channel = early.channel;
        exit when not found;
    end loop;
    return query
    select w.bot, w.channel, w."user", t.key, t.value::bigint
    from waking_chats(me, void_seconds, now_at, most) w, jsonb_each_text(w.timers) t
    where t.value::bigint <= now_at
    order by 5, w.bot, w.channel, w."user", t.key collate "C" limit most;
end
$$;

-- When the first timer of these chats is due; null: there is none.
create function next_timer(me text, void_seconds float8) returns bigint language plpgsql as $$
declare
    first record;
begin
    loop
        select * into first from waking_chats(me, void_seconds, null, 1);
        exit when not found or first_timer(first.timers) = first.wake;
        update chats c set wake = first_timer(c.timers)
        where c.bot = first.bot and c."user" = first."user" and c.channel = first.channel;
    end loop;
    return first.wake;
end
$$;

-- Deliveries that are due, of each chat and receiver the first, the longest due first. Nobody else gets them before their
-- new due time; what another process is just taking is left to it. was_due: the time that each had.
create function take_deliveries(clock_at bigint, claimed bigint, most integer)
returns table (
    bot text, channel text, "user" text, receiver text, id text, body bytea, carries bigint, created_at bigint, due bigint,
    attempts integer, dead_at bigint, reason text, was_due bigint
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    now_at bigint := coalesce(clock_at, server_clock());
begin
    return query
    with next as materialized (
        select o.bot, o.channel, o."user", o.receiver, o.id, o.due from outbox o
        where o.is_first and o.due <= now_at order by o.due, o.id limit most
        for update skip locked
    )
    update outbox o set due = now_at + claimed from next n
    where o.bot = n.bot and o."user" = n."user" and o.channel = n.channel and o.receiver = n.receiver and o.id = n.id
    returning o.bot, o.channel, o."user", o.receiver, o.id, o.body, o.carries, o.created_at, o.due, o.attempts,
        o.dead_at, o.reason, n.due;
end
$$;

-- The first of what a chat has for a receiver is marked, and due now if it never was; the lease row is locked by the
-- caller.
create function mark_first(its_bot text, its_channel text, its_user text, its_receiver text, now_at bigint)
returns void language sql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    update outbox o set is_first = true, due = case o.due when 0 then now_at else o.due end
    where o.bot = its_bot and o."user" = its_user and o.channel = its_channel and o.receiver = its_receiver
        and not o.is_first and o.id = (
            select f.id from outbox f
            where f.bot = its_bot and f."user" = its_user and f.channel = its_channel and f.receiver = its_receiver
                and f.dead_at is null
            order by f.bot, f."user", f.channel, f.receiver, f.revision, f.id limit 1
        )
$$;

-- A delivery that was taken and has still the claim of its taker (due, attempts) has arrived (died_at null: it goes, and
-- what it carries is carried) or is given up; the next of its chat and receiver becomes the first. The lease row is
-- locked, as by a commit, so that a delivery which a turn just writes is either marked by it or seen here.
create function settle_delivery(
    its_bot text, its_channel text, its_user text, its_receiver text, its_id text, its_due bigint, its_attempts integer,
    its_carries bigint, died_at bigint, its_reason text, clock_at bigint
) returns boolean language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    perform from outbox
    where bot = its_bot and "user" = its_user and channel = its_channel and receiver = its_receiver and id = its_id
        and dead_at is null and due = its_due and attempts = its_attempts;
    if not found then
        return false;
    end if;
    perform lock_chats(its_bot, array[its_channel], array[its_user]);
    if died_at is null then
        delete from outbox
        where bot = its_bot and "user" = its_user and channel = its_channel and receiver = its_receiver and id = its_id
            and dead_at is null and due = its_due and attempts = its_attempts;
    else
        update outbox set dead_at = died_at, reason = its_reason, attempts = attempts + 1, is_first = false
        where bot = its_bot and "user" = its_user and channel = its_channel and receiver = its_receiver and id = its_id
            and dead_at is null and due = its_due and attempts = its_attempts;
    end if;
    if not found then
        return false;
    end if;
    perform mark_first(its_bot, its_channel, its_user, its_receiver, coalesce(clock_at, server_clock()));
    if died_at is null and its_carries > 0 then
        perform carry_messages(its_bot, array[its_channel], array[its_user], array[its_carries]);
    end if;
    return true;
end
$$;

-- Some dead letters, the oldest first, wait again in their places, with all attempts: those with an id of a list, or of
-- all of the bot. Gives how many.
create function resend_letters(its_bot text, ids text[], clock_at bigint, most integer)
returns bigint language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    channels text[];
    users text[];
    receivers text[];
    letters text[];
    sent bigint;
    line record;
begin
    select array_agg(l.channel), array_agg(l."user"), array_agg(l.receiver), array_agg(l.id)
    into channels, users, receivers, letters from (
        select o.channel, o."user", o.receiver, o.id from outbox o
        where o.bot = its_bot and o.dead_at is not null and (ids is null or o.id = any (ids))
        order by o.created_at, o.id limit most
    ) l;
    if letters is null then
        return 0;
    end if;
    perform lock_chats(its_bot, array_agg(k.channel), array_agg(k."user"))
    from (select distinct u.channel, u."user" from unnest(channels, users) as u (channel, "user")) k;
    for line in
        select distinct u.channel, u."user", u.receiver
        from unnest(channels, users, receivers) as u (channel, "user", receiver)
    loop
        update outbox o set is_first = false
        where o.bot = its_bot and o."user" = line."user" and o.channel = line.channel and o.receiver = line.receiver
            and o.id = (
                select f.id from outbox f
                where f.bot = its_bot and f."user" = line."user" and f.channel = line.channel
                    and f.receiver = line.receiver and f.dead_at is null
                order by f.bot, f."user", f.channel, f.receiver, f.revision, f.id limit 1
            );
    end loop;
    update outbox o set dead_at = null, reason = null, attempts = 0, due = 0
    from unnest(channels, users, receivers, letters) as u (channel, "user", receiver, id)
    where o.bot = its_bot and o."user" = u."user" and o.channel = u.channel and o.receiver = u.receiver and o.id = u.id
        and o.dead_at is not null;
    get diagnostics sent = row_count;
    perform mark_first(its_bot, k.channel, k."user", k.receiver, coalesce(clock_at, server_clock())) from (
        select distinct u.channel, u."user", u.receiver
        from unnest(channels, users, receivers) as u (channel, "user", receiver)
    ) k;
    return sent;
end
$$;
