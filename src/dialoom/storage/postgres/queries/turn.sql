-- name: commit
-- Write turns of chats of one bot; rows for those that are in the way.
select place, verdict, body, answer from commit_turns(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
    $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48,
    $49, $50, $51, $52, $53, $54, $55
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
