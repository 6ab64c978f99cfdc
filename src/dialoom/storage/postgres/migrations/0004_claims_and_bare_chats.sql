-- works with: 1

-- A chat in which nothing was ever said has no conversation by whose age it could be forgotten. bare_since: of such a one
-- when something last came into it; null for the others. Not an index with a condition on "position": that changes with
-- each turn, and what an index knows cannot be changed in place. Before the outbox: turns lock the two in this order.
alter table chats add column bare_since bigint;

-- commit_turns writes it, and is as it was but for that: older releases call it too.
do $$
declare
    made text := pg_get_functiondef('commit_turns'::regproc);
    change text[];
begin
    foreach change slice 1 in array array[
        ['positions, timer_patches, wakes)', 'positions, timer_patches, wakes, times)'],
        ['as t (channel, "user", state, revision, position, timers, wake)',
         'as t (channel, "user", state, revision, position, timers, wake, at)'],
        ['position = t.position, wake = least(c.wake, t.wake),',
         'position = t.position, wake = least(c.wake, t.wake), bare_since = case t.position when 0 then t.at end,'],
        ['insert into chats (bot, channel, "user", state, revision, position, timers, wake)',
         'insert into chats (bot, channel, "user", state, revision, position, timers, wake, bare_since)'],
        ['jsonb_strip_nulls(t.timers::jsonb), t.wake',
         'jsonb_strip_nulls(t.timers::jsonb), t.wake, case t.position when 0 then t.at end']
    ] loop
        if position(change[1] in made) = 0 then
            raise exception 'commit_turns is not as it was made: % is missing', change[1];
        end if;
        made := replace(made, change[1], change[2]);
    end loop;
    execute made;
end
$$;

-- Who took a delivery, and until when. claimed_until: the due time that the claim has set. While both are the same it is
-- a claim; whoever moves the due time, by putting off or giving back, ends it, also a release that knows of no claimers.
-- (Not "claimed": take_deliveries, which that release calls, has a variable of this name, and columns go before.)
alter table outbox add column claimer text collate "C";
alter table outbox add column claimed_until bigint;
create index outbox_claimed on outbox (claimer) where is_first and claimed_until = due;

-- As take_deliveries, for a process by its name: what it takes is free as soon as it counts as dead. What others had who
-- are dead by now is made due before.
create function claim_deliveries(clock_at bigint, claim bigint, most integer, me text, void_seconds float8)
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
    with gone as materialized (
        select o.bot, o.channel, o."user", o.receiver, o.id from outbox o
        where o.is_first and o.claimed_until = o.due and not exists (
            select from processes p
            where p.process = o.claimer and p.beat_at > clock_timestamp() - make_interval(secs => void_seconds)
        )
        -- An order that only the index of claims gives: all others hold what waits as well.
        order by o.claimer limit most for update of o skip locked
    )
    update outbox o set due = now_at from gone g
    where o.bot = g.bot and o."user" = g."user" and o.channel = g.channel and o.receiver = g.receiver and o.id = g.id;
    return query
    with next as materialized (
        select o.bot, o.channel, o."user", o.receiver, o.id, o.due from outbox o
        where o.is_first and o.due <= now_at order by o.due, o.id limit most
        for update skip locked
    )
    update outbox o set due = now_at + claim, claimed_until = now_at + claim, claimer = me from next n
    where o.bot = n.bot and o."user" = n."user" and o.channel = n.channel and o.receiver = n.receiver and o.id = n.id
    returning o.bot, o.channel, o."user", o.receiver, o.id, o.body, o.carries, o.created_at, o.due, o.attempts,
        o.dead_at, o.reason, n.due;
end
$$;
