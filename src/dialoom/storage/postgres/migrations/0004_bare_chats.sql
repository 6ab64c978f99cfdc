-- works with: 1

-- A chat in which nothing was ever said has no conversation by whose age it could be forgotten. bare_since: of such a one
-- when something last came into it; null for the others. Those that are there by now get it with their next turn: to
-- write all of them at once would hold up their turns. The next step makes the index.
alter table chats add column bare_since bigint;

-- As it was, and bare_since is written. The release before calls it too.
create or replace function commit_turns(
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
        bare_since = case t.position when 0 then t.at end,
        timers = case when t.timers is null then c.timers
            else jsonb_strip_nulls(coalesce(c.timers, '{}') || t.timers::jsonb) end
    from unnest(channels, users, states, revisions, positions, timer_patches, wakes, times)
        as t (channel, "user", state, revision, position, timers, wake, at)
    where c.bot = its_bot and c."user" = t."user" and c.channel = t.channel and t.revision > 1;
    if 1 = any (revisions) then
        insert into chats (bot, channel, "user", state, revision, position, timers, wake, bare_since)
        select its_bot, t.channel, t."user", t.state, 1, t.position, jsonb_strip_nulls(t.timers::jsonb), t.wake,
            case t.position when 0 then t.at end
        from unnest(channels, users, states, revisions, positions, timer_patches, wakes, times)
            as t (channel, "user", state, revision, position, timers, wake, at)
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
