-- works with: 1

-- outside a transaction
-- Pages in the order of a property, and of the records with one value of it, go by _id within it. The time of the begin
-- stands behind, so that conditions on both are told in the index. Texts that may be null begin with null, as in an
-- order that rises.
create index concurrently if not exists conversations_status_next on conversations (bot, status, id, started_at);
drop index concurrently if exists conversations_status;
create index concurrently if not exists conversations_errors_next on conversations (bot, errors, id, started_at);
drop index concurrently if exists conversations_errors;
create index concurrently if not exists conversations_messages_user_next
    on conversations (bot, messages_user, id, started_at);
drop index concurrently if exists conversations_messages_user;
create index concurrently if not exists conversations_provider_name_next
    on conversations (bot, provider_name, id, started_at);
drop index concurrently if exists conversations_provider_name;
create index concurrently if not exists conversations_first_name_next
    on conversations (bot, first_name nulls first, id, started_at);
drop index concurrently if exists conversations_first_name;
create index concurrently if not exists conversations_last_name_next
    on conversations (bot, last_name nulls first, id, started_at);
drop index concurrently if exists conversations_last_name;

-- in the transaction

-- How far files of records from elsewhere were read.
create table imports (
    bot text collate "C" not null,
    source text collate "C" not null,
    line bigint not null,
    primary key (bot, source)
);

-- The operator's own indexes on properties of records. They belong to no bot; the table is small enough to stand
-- everywhere.
create table property_indexes (
    collection text collate "C" not null,
    property text collate "C" not null,
    ready boolean not null,
    primary key (collection, property)
);

-- What is left of a user who was erased must never meet what comes after: the numbers of an inbox whose lease row is new
-- go on from the clock, so that none comes twice.
alter table leases alter column last set default (extract(epoch from clock_timestamp()) * 1000)::bigint;

-- A step of erasing a user: of conversations, messages, deliveries and answers no more than so many together, of files no
-- more than four. The last step takes what is left, memory and the lease in one: until then the user is known, so that
-- an erasure that was broken off is found again. Turns lock the lease first, as this does: one that runs meanwhile is
-- either stored before, and deleted here, or finds neither its revision nor its lease.
create function erase_user(its_bot text, its_channel text, its_user text, most integer)
returns table (
    conversations bigint, messages bigint, files bigint, deliveries bigint, had_memory boolean, is_done boolean
) language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    most_files constant integer := 4;
    room bigint := most;
    found_ids text[];
    gone bigint;
    gone_conversations bigint := 0;
    gone_messages bigint := 0;
    gone_files bigint := 0;
    gone_deliveries bigint := 0;
begin
    perform lock_chats(its_bot, array[its_channel], array[its_user]);
    found_ids := array(
        select c.id from conversations c
        where c.bot = its_bot and c."user" = its_user and c.channel = its_channel order by c.id limit most
    );
    -- Whosever they say they are: records from elsewhere may say anything.
    delete from messages m where m.bot = its_bot and m.id in (
        select s.id from messages s where s.bot = its_bot and s.conversation = any (found_ids) limit room
    );
    get diagnostics gone_messages = row_count;
    room := room - gone_messages;
    if room > 0 then
        delete from conversations c where c.bot = its_bot and c.id = any (found_ids);
        get diagnostics gone_conversations = row_count;
        room := room - gone_conversations;
    end if;
    if room > 0 then
        delete from messages m where m.bot = its_bot and m.id in (
            select s.id from messages s
            where s.bot = its_bot and s."user" = its_user and s.channel = its_channel limit room
        );
        get diagnostics gone = row_count;
        gone_messages := gone_messages + gone;
        room := room - gone;
    end if;
    if room > 0 then
        with going as (
            delete from files f where f.bot = its_bot and f.id in (
                select o.id from files o
                where o.bot = its_bot and o."user" = its_user and o.channel = its_channel limit most_files
            )
            returning f.id
        )
        select coalesce(array_agg(g.id), '{}') into found_ids from going g;
        -- A statement of its own, which sees the piece that was written while the one before waited for its file.
        delete from file_pieces p where p.bot = its_bot and p.id = any (found_ids);
        gone_files := cardinality(found_ids);
        if gone_files = most_files then
            room := 0;
        end if;
    end if;
    if room > 0 then
        -- The last of a line go first: were the marked one gone and others left, none of them would ever be due.
        delete from outbox d where d.bot = its_bot and d."user" = its_user and d.channel = its_channel
            and (d.receiver, d.id) in (
                select o.receiver, o.id from outbox o
                where o.bot = its_bot and o."user" = its_user and o.channel = its_channel
                order by o.revision desc, o.id desc limit room
            );
        get diagnostics gone_deliveries = row_count;
        room := room - gone_deliveries;
    end if;
    if room > 0 then
        delete from answers a where a.bot = its_bot and a."user" = its_user and a.channel = its_channel
            and a.dedupe in (
                select s.dedupe from answers s
                where s.bot = its_bot and s."user" = its_user and s.channel = its_channel limit room
            );
        get diagnostics gone = row_count;
        room := room - gone;
    end if;
    if room <= 0 then
        return query select gone_conversations, gone_messages, gone_files, gone_deliveries, false, false;
        return;
    end if;
    delete from journal j where j.bot = its_bot and j."user" = its_user and j.channel = its_channel;
    delete from inbox i where i.bot = its_bot and i."user" = its_user and i.channel = its_channel;
    delete from chats c where c.bot = its_bot and c."user" = its_user and c.channel = its_channel;
    get diagnostics gone = row_count;
    delete from leases l where l.bot = its_bot and l."user" = its_user and l.channel = its_channel;
    return query select gone_conversations, gone_messages, gone_files, gone_deliveries, gone > 0, true;
end
$$;

-- Free chats of a process. A lease row of which nothing else is kept goes: a turn that found its user erased has made it
-- anew. An old one with events in its inbox stays, for its numbers.
create function let_go_chats(me text, bots text[], channels text[], users text[])
returns void language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    perform 1 from unnest(bots, channels, users) as k (bot, channel, "user")
    join leases l on l.bot = k.bot and l."user" = k."user" and l.channel = k.channel
    where l.holder = me or l.holder is null
    order by l.bot, l."user", l.channel for update of l;
    delete from leases l using unnest(bots, channels, users) as k (bot, channel, "user")
    where l.bot = k.bot and l."user" = k."user" and l.channel = k.channel and (l.holder = me or l.holder is null)
        and not exists (
            select from chats c where c.bot = l.bot and c."user" = l."user" and c.channel = l.channel
        )
        and not exists (
            select from inbox i where i.bot = l.bot and i."user" = l."user" and i.channel = l.channel
        );
    update leases l set holder = null from unnest(bots, channels, users) as k (bot, channel, "user")
    where l.bot = k.bot and l."user" = k."user" and l.channel = k.channel and l.holder = me;
end
$$;

-- The key of a record's property in such an index: bytes that sort as the values do. First the number of the kind (0: an
-- array is there or on the way, and the key tells nothing), then of a number its double and of a text its beginning.
-- Numbers that are no doubles share the key of the nearest that is. Their numbers stand in indexes: they never change.
create function property_key(document jsonb, path text[]) returns bytea language plpgsql immutable parallel safe as $$
declare
    found jsonb := document;
    part text;
    size numeric;
    near float8;
    bits bytea;
begin
    foreach part in array path loop
        if jsonb_typeof(found) = 'object' then
            found := found -> part;
        elsif jsonb_typeof(found) = 'array' then
            return '\x00'::bytea;
        else
            return '\x01'::bytea;
        end if;
    end loop;
    case coalesce(jsonb_typeof(found), 'missing')
        when 'missing' then return '\x01'::bytea;
        when 'null' then return '\x02'::bytea;
        when 'string' then
            return '\x04'::bytea || substring(convert_to(found #>> '{}', 'UTF8') from 1 for 400);
        when 'number' then
            size := found::numeric;
            near := case when size = 0 then 0 else sign(size) * least(greatest(abs(size), 1e-300), 1e300) end;
            bits := float8send(near);
            if near >= 0 then
                return '\x03'::bytea || set_byte(bits, 0, get_byte(bits, 0) + 128);
            end if;
            return '\x03'::bytea || int8send(~ ('x' || encode(bits, 'hex'))::bit(64)::bigint);
        when 'object' then return '\x05'::bytea;
        when 'boolean' then return case found::boolean when false then '\x06'::bytea else '\x07'::bytea end;
        else return '\x00'::bytea;
    end case;
end
$$;

alter index conversations_status_next rename to conversations_status;
alter index conversations_errors_next rename to conversations_errors;
alter index conversations_messages_user_next rename to conversations_messages_user;
alter index conversations_provider_name_next rename to conversations_provider_name;
alter index conversations_first_name_next rename to conversations_first_name;
alter index conversations_last_name_next rename to conversations_last_name;
