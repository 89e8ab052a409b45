-- Renewals: as many threads as connections, each with a token of its own, which it renews on and on.
--   wrk -t32 -c32 -d5 -s bench/wrk/renewal.lua http://127.0.0.1:PORT -- TOKENS REQUESTS
-- TOKENS: a file with a renewal token a line; REQUESTS: a line each, with U+001F in place of line ends and TOKEN for the token.
-- Of several requests each thread has its own, for what is good once.
local threads = {}
function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

wrong = 0
local token, requests, used = nil, {}, 0
function init(arguments)
  local all = 0
  for text in io.lines(arguments[1]) do
    all = all + 1
    if all == number then token = text end
  end
  local line = 0
  for text in io.lines(arguments[2]) do
    if line == 0 or line % all == number - 1 then table.insert(requests, (text:gsub("\31", "\r\n"))) end
    line = line + 1
  end
  -- the first line is everybody's where it is the only one, else the first thread's
  if line > 1 and number > 1 then table.remove(requests, 1) end
end

function request()
  used = used % #requests + 1
  local head, body = requests[used]:match("^(.-\r\n\r\n)(.*)$")
  body = body:gsub("TOKEN", (token:gsub("%%", "%%%%")))
  return head:gsub("content%-length: %d+", "content-length: " .. #body) .. body
end

function response(status, _, body)
  local renewed = body:match('"refresh_token":"([%w_.-]+)"')
  if status == 200 and renewed then token = renewed else wrong = wrong + 1 end
end

function done()
  local all = 0
  for _, thread in ipairs(threads) do all = all + thread:get("wrong") end
  print("Wrong answers: " .. all)
end
