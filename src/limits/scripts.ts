/** The scripts that count in Redis. Each is one step there, and takes the time from Redis, so that no clock of ours takes part. */

const nowMs = "local t = redis.call('TIME') local now = t[1] * 1000 + math.floor(t[2] / 1000)";

/** A list of times, of which those within the span still count. */
const dropOlderThan = (spanMs: number): string => `
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - ${spanMs} do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end`;

const hourMs = 3_600_000;
const windowMs = 60_000;
const blockMs = 300_000;
/** A flood from many addresses must not fill the memory: the block that ends first is forgotten first. */
const maxBlocks = 20_000;
/** A process that was not heard of for so long no longer counts. */
const presenceMs = 10_000;

/** Processes that counted alone notice within this time of each other that they can count together again. */
const noticeMs = 250;
/** A bucket is kept for longer than it needs to be full: one that is not there was lost. */
const keptMs = 10_000;

/**
 * KEYS: bucket. ARGV: capacity, wanted, owed, how long the process was alone (0: it was not), what is left of its share, what that
 * gets a second, what a bucket that is not there holds, what is left of what the share got alone. A bucket that was lost, or that
 * nobody could reach for a while, has been divided into shares. It begins anew with the share of the first process that is back,
 * less what the others may still get alone; each of these adds its own when it is back, less what it got since. Shares come
 * from what each heard last, and of a bucket that is lost the others may have taken all the rest: then only what came since counts.
 */
export const takeTokens = `
local t = redis.call('TIME') local now = t[1] * 1000 + t[2] / 1000
local capacity, wanted, owed = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local alone, share, perSecond = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'begun', 'lost')
local tokens, at, begun = tonumber(bucket[1] or ARGV[7]), tonumber(bucket[2] or now), tonumber(bucket[3] or 0)
local lost = bucket[1] and bucket[4] or 'no'
if alone > 0 and (not bucket[1] or (alone >= ${noticeMs} and now - at >= ${noticeMs})) then
  if not bucket[1] then lost, share = 'yes', tonumber(ARGV[8]) else lost = 'no' end
  tokens, begun = share - (capacity - perSecond) * ${noticeMs} / 1000, now
else
  if lost == 'yes' then share = tonumber(ARGV[8]) end
  tokens = tokens + math.max(0, now - at) * capacity / 1000
  if alone > 0 and alone >= now - begun then tokens = tokens + share + perSecond * (${noticeMs} - (now - begun)) / 1000
  else tokens = tokens - owed end
end
tokens = math.min(capacity, tokens)
local taken = math.max(0, math.min(wanted, math.floor(tokens)))
tokens = tokens - taken
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', now, 'begun', begun, 'lost', lost)
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens) * 1000 / capacity) + ${keptMs})
return { taken, string.format('%.3f', tokens) }`;

/** KEYS: times. ARGV: lookups an hour. How many milliseconds to wait; 0 when it is granted. */
export const takeAnonymous = `${nowMs}${dropOlderThan(hourMs)}
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[1]) then return tonumber(oldest) + ${hourMs} - now end
redis.call('RPUSH', KEYS[1], now)
redis.call('PEXPIRE', KEYS[1], ${hourMs})
return 0`;

/** KEYS: times, blocks. ARGV: refusals that block, address. A refusal of an address that is blocked begins no other block. */
export const recordRefusal = `${nowMs}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then return 0 end${dropOlderThan(windowMs)}
redis.call('RPUSH', KEYS[1], now)
redis.call('PEXPIRE', KEYS[1], ${windowMs})
if redis.call('LLEN', KEYS[1]) < tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZADD', KEYS[2], now + ${blockMs}, ARGV[2])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -${maxBlocks + 1})
redis.call('PEXPIRE', KEYS[2], ${blockMs})
return 1`;

/** KEYS: blocks. ARGV: position. The time, and each address with the end of its block. */
export const blocksSince = `${nowMs}
local blocks = redis.call('ZRANGE', KEYS[1], '(' .. ARGV[1], '+inf', 'BYSCORE', 'WITHSCORES')
table.insert(blocks, 1, now)
return blocks`;

/** KEYS: processes. ARGV: this one. How many there are. */
export const announce = `${nowMs}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${presenceMs})
redis.call('PEXPIRE', KEYS[1], ${presenceMs})
return redis.call('ZCARD', KEYS[1])`;
