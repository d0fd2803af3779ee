/** The Lua scripts that count in Redis. Each runs atomically and uses the clock of Redis, so that no two clocks are compared. */

const nowMs = "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)";

/** Removes the times before the window from the list in KEYS[1]. */
const dropOlderThan = (windowMs: number | string): string => `
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - ${windowMs} do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end`;

const refusalWindowMs = 60_000;
const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the block that ends first is removed first. */
const maxBlocks = 20_000;
/** A process that has not announced itself for this long no longer counts. */
const presenceTtlMs = 10_000;
/** A bucket expires this long after it is full. */
const bucketTtlMs = 10_000;

/**
 * KEYS: bucket. ARGV: capacity, known level, owed, wanted; see `TokenRequest`. A missing bucket has expired or was lost. It starts
 * at the known level, because a full one would grant a second's worth again.
 */
export const takeTokens = `
local t = redis.call('TIME') local now = t[1] * 1000 + t[2] / 1000
local capacity, known, owed, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens, at = tonumber(bucket[1] or known), tonumber(bucket[2] or now)
tokens = math.min(capacity, tokens + math.max(0, now - at) * capacity / 1000)
if owed > 0 then tokens = math.min(tokens, known) - owed end
local taken = math.max(0, math.min(wanted, math.floor(tokens)))
tokens = tokens - taken
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens) * 1000 / capacity) + ${bucketTtlMs})
return { taken, string.format('%.3f', tokens) }`;

/** KEYS: times. ARGV: limit, span of the window. The milliseconds until the next event is allowed; 0 when this one is. */
export const takeFromWindow = `${nowMs} local span = tonumber(ARGV[2])${dropOlderThan('span')}
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[1]) then return tonumber(oldest) + span - now end
redis.call('RPUSH', KEYS[1], now)
redis.call('PEXPIRE', KEYS[1], span)
return 0`;

/** KEYS: times, blocks. ARGV: refusals that block, address. A refusal of a blocked address does not extend its block. */
export const recordRefusal = `${nowMs}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then return 0 end${dropOlderThan(refusalWindowMs)}
redis.call('RPUSH', KEYS[1], now)
redis.call('PEXPIRE', KEYS[1], ${refusalWindowMs})
if redis.call('LLEN', KEYS[1]) < tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZADD', KEYS[2], now + ${blockMs}, ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -${maxBlocks + 1})
redis.call('PEXPIRE', KEYS[2], ${blockMs})
return 1`;

/** KEYS: blocks. ARGV: position. The time, then each address followed by the end of its block. */
export const blocksSince = `${nowMs}
local blocks = redis.call('ZRANGE', KEYS[1], '(' .. ARGV[1], '+inf', 'BYSCORE', 'WITHSCORES')
table.insert(blocks, 1, now)
return blocks`;

/** KEYS: processes. ARGV: this process. The number of processes. */
export const announce = `${nowMs}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${presenceTtlMs})
redis.call('PEXPIRE', KEYS[1], ${presenceTtlMs})
return redis.call('ZCARD', KEYS[1])`;
