-- name: commit
-- Write turns of chats of one bot; rows for those that are in the way. Most arrays come as their literals.
select place, verdict, body, answer from commit_turns(
    $1, $2, $3::text::text[], $4::text::text[], $5::text::bigint[], $6::text::text[], $7, $8, $9::text::bigint[], $10,
    $11::text::bigint[], $12::text::bigint[], $13::text::text[], $14::text::bigint[], $15::text::bigint[],
    $16::text::text[], $17::text::text[], $18::text::text[], $19::text::text[], $20::text::text[], $21::text::text[],
    $22::text::text[], $23::text::text[], $24::text::integer[], $25::text::integer[], $26::text::integer[],
    $27::text::text[], $28::text::text[], $29::text::text[], $30, $31::text::text[], $32::text::text[],
    $33::text::text[], $34::text::text[], $35::text::text[], $36::text::text[], $37::text::text[], $38::text::text[],
    $39::text::integer[], $40::text::bigint[], $41::text::text[], $42::text::smallint[], $43, $44::text::text[],
    $45::text::integer[], $46::text::text[], $47::text::integer[], $48::text::text[], $49::text::text[], $50,
    $51::text::bigint[], $52::text::bigint[], $53::text::bigint[], $54::text::integer[], $55
)

-- name: accept
-- Accept events of chats of one bot; rows for all, or for those that are in the way.
select place, verdict, number, ahead, body, answer
from accept_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: journal
-- Results of outside calls; rows for those that are not kept.
select place from keep_results($1, $2, $3, $4, $5, $6, $7)

-- name: carry
-- What an answer has carried waits no more.
select carry_messages($1, array[$2], array[$3], array[$4::bigint])

-- name: put_whole
-- What users are shown of messages that their records mask.
update messages m set whole = t.whole from unnest($2::text[], $3::bytea[]) as t (id, whole)
where m.bot = $1 and m.id = t.id
