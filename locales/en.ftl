# Gavel's texts in English. Each message is keyed by what it is for. Other languages have the same keys; what one leaves
# out is shown in English. `{ $name }` stands for what the bot puts there. How to add a language: docs/contributing.md.

## Commands and platforms

# Under the bot's name on its profile, and with links to it: at most 120 characters.
profile-short = Search, track and launch tokens sold by auction. Alerts for you, your group or your channel.
# What is read before the first message: at most 512 characters.
profile-description =
    Find, follow and launch tokens sold by auction.

    🔎 Send a name, a $ticker or a contract address
    🔔 Alerts for you, your group or your channel
    🚀 Launch a token, signed in your own wallet

    I will never ask for your seed phrase or private key.

# $what describes the value: "Name, ticker or address".
command-needs = { $command } needs: { $what }. For example: { $example }
# $option is an option's name with a colon; $why is a whole sentence.
command-option-refused = { $option } { $why }
command-no-values = Just send { $command } – I’ll ask for the details.
command-value-twice = You gave { $option } twice: as “{ $typed }” and by name. Use it once.
command-option-twice = You gave { $option } twice. Use it once.
command-option-empty = { $option } needs a value.
command-takes-no-options = { $command } has no option “{ $option }”: it takes none. To use text as it is, put it in "double quotes".
command-option-unknown = { $command } has no option “{ $option }”. It takes { $options }. To use text as it is, put it in "double quotes".
command-option-misspelt = { $command } has no option “{ $option }”. Did you mean { $meant }? It takes { $options }. To use text as it is, put it in "double quotes".
command-unknown = There is no command /{ $name }. See { $help }.
command-misspelt = There is no command /{ $name }. Did you mean { $meant }? See { $help }.
command-text-empty = Type something to look for, such as { $example }.
command-text-too-long = That’s too long: { $length } characters, at most { $max }.
command-number-range = “{ $typed }” is not a whole number from { $min } to { $max }.
command-choice-unknown = “{ $typed }” is unknown. Use { $choices }.
command-line-too-long = That’s too long. A command has at most { $max } characters.
command-answered = This has already been answered.
flood-group = That’s a lot at once here. Ask me in a DM, or wait { $seconds } s.
flood-person = That’s a lot at once. Wait { $seconds } s, then send it again.
blocked-notice = You can’t use this bot any more: its operator has blocked you. This is the only message about it.
announcement-title = 📣 From the operator of this bot

# A message that is too long for the platform ends with this.
view-shortened = Shortened: there is more than fits here.
# In the field of Discord's list of things to open.
view-open-one = Open one
private-invitation = Let’s continue in our private chat, so only you see it.
private-open = Open private chat
linked-title = Do you want this?
linked-what = The link you opened would change something. It would run:
linked-ignore = If you didn’t mean to, do nothing.
linked-confirm = Do it
# $limit: such as "20 MB".
file-too-big = That file is too big. Send one of at most { $limit }.
file-not-given = { $platform } didn’t hand over that file. Send it again.
telegram-unchanged = Nothing has changed.
telegram-unchangeable = This message can no longer be changed.
telegram-picker = Choose with the buttons below the message box.
telegram-picked = Chosen.
buttons-too-old = These buttons are too old. Send the command again.
form-too-old = This form is too old. Send the command again.
form-too-slow = That took too long. Press the button again.
# At most 64 characters: a button above the results of inline mode.
telegram-inline-ask = Type a name, ticker or address
telegram-inline-none = Nothing matches. Look around in the chat
discord-form-too-long = That is too long. Open the form again and write less.
settings-about = Language and quiet hours
settings-title = Settings
settings-title-chat = Settings here
settings-language = Language
settings-language-about = The language of my answers and alerts here
settings-language-auto = Automatic
settings-language-hint = Automatic: your own language in Telegram or Discord. Alerts use the language of the person who set them up.
settings-on = On
settings-off = Off
settings-quiet = Quiet hours
settings-quiet-about = Hours when alerts are held back, or off
settings-quiet-hours = { $hours } ({ $zone })
settings-quiet-off = 🌙 { settings-off }
settings-quiet-hint = During quiet hours alerts are held and sent together afterwards; those that have expired by then are left out. A daily summary still comes at its hour. To set your own hours: { $line }
settings-quiet-unreadable = “{ $typed }” isn’t a range of hours. Write { $example } or { $off }.
settings-zone-about = Time zone of the quiet hours
settings-cards = Cards for addresses and $tickers
settings-cards-about = Answer addresses and $tickers in this group with cards
settings-cards-hint = Each token gets a card at most once a minute. I only see what people write here if I am an administrator, or if my privacy mode is off.
settings-cards-where = Cards are for groups on Telegram. Send this in one.
settings-cards-turn-on = Turn cards on
settings-cards-turn-off = Turn cards off
address-start = An address starts with 0x, followed by 40 characters.
address-digits = After 0x, an address has only the digits 0–9 and the letters a–f.
address-length = An address has 40 characters after 0x; this one has { $length }. Copy the whole address again.
address-checksum = The capital letters of this address don’t match its checksum, so a character is probably wrong. Copy it again. If you are sure of it, type it in lower case.

# Names such as ada.eth instead of addresses. `$account` is an address of 42 characters.
# `$allowed` is what an address looks like, a sentence.
name-allowed = { $allowed } Or a name, such as { $example }.
name-is = { $name } is { $account }. I’ll use this address even if the name changes later.
name-is-odd = { $name } is { $account }. I’ll use this address even if the name changes later. ⚠️ The name isn’t plain letters a–z: check the address.
name-account = { $name } ({ $account })
name-no-node = I can’t look up { $name }: this bot isn’t connected to { $chain }. Send the address (0x…).
name-unavailable = I couldn’t look up { $name } right now. Try again in a minute, or send the address (0x…).
name-ending = I can’t look up { $name }: only names that end in .eth. Send the address (0x…).
name-invalid = { $name } isn’t a valid name, and may imitate another. Type it again yourself, or send the address (0x…).
name-other-form = { $name } isn’t written the way names are. If you mean { $normal }, send that, or send the address (0x…).
name-unknown = I found no address for { $name }. Check the spelling, or send the address (0x…).
name-offchain = { $name } is kept on a server outside the chain, so I can’t check it. Send the address (0x…).
# `$from` and `$chain` are chains, such as Ethereum.
name-contract = { $name } is a contract on { $from } and may not exist on { $chain }: what you send there could be lost. Send the address to use on { $chain } (0x…).

## Assets: cards, lists, search, /start, /help

# What tells results apart in inline mode, after the name.
inline-worth = { $price } · Market cap { $cap } · { $where }
inline-worth-price = { $price } · { $where }
inline-worth-cap = Market cap { $cap } · { $where }
token-unnamed = Unnamed
token-unnamed-with-symbol = Unnamed { $symbol }
# An amount of a token: "1.2 WETH".
money-in-token = { $amount } { $symbol }

# The status of an auction, with its sign.
status-live = 🟢 Live
status-upcoming = 🕒 Upcoming
status-graduated = 🎓 Graduated
status-failed = ⏸️ Ended, not graduated
status-ended = ⏹️ Ended
status-fake = 🔴 Fake
status-live-word = Live
status-upcoming-word = Upcoming
status-graduated-word = Graduated
status-failed-word = Ended, not graduated
status-ended-word = Ended
status-fake-word = Fake
# $reported is the data provider's own word.
status-as-reported = { $status } ({ $reported })
# A test network, whose tokens are worth nothing: "Base Sepolia (TESTNET)".
chain-testnet = { $name } (TESTNET)
# Before the name of a token in a list.
list-testnet = TESTNET
# A line of a card: "Base · 🟢 Live".
asset-where = { $chain } · { $status }

# Labels of a card's figures; each is followed by a colon.
asset-price = Price
asset-priced-in = Priced in { $symbol }
asset-market-cap = Market cap
asset-liquidity = Liquidity
asset-volume-24h = Volume (24h)
asset-raised = Raised
asset-sold = Sold
asset-starts = Starts
asset-start = Start
asset-ends = Ends
asset-ended = Ended
asset-created = Created
asset-creator = Creator
asset-fee-receiver = Fees go to
asset-vesting = Vesting
asset-categories = Categories
# A line of a card: "Creator: 0x12…ab".
field = { $label }: { $value }
field-label = { $label }:
# MC is the usual short form of market cap.
asset-mc = MC { $amount }
# $relative is "in 2 days" or "3 hours ago", $date a date with its time, both written by the reader's app.
asset-starts-when = Starts { $relative } · { $date }
asset-started-when = Started { $relative } · { $date }
asset-ends-when = Ends { $relative } · { $date }
asset-ended-when = Ended { $relative } · { $date }
# $change is the price's change in 24 hours: "▲ 16.3% (24h)".
asset-change-24h = { $change } (24h)
# $share is a percentage: "42% sold".
asset-share-sold = { $share } sold
asset-sold-of = { $sold } of { $total }
# The least that an auction must raise, and the most that it can.
asset-raised-min-max = { $raised } (min { $min }, max { $max })
asset-raised-min = { $raised } (min { $min })
asset-raised-max = { $raised } (max { $max })
# $pool is the address of the pool in which the token trades now.
asset-graduated-on-to = Graduated { $date } → pool { $pool }
asset-graduated-on = Graduated { $date }
asset-graduated-to = Graduated → pool { $pool }
asset-graduated = Graduated
# The part of the supply that a wallet gets over time: "5% to 0x12…ab".
asset-vesting-share = { $share }% to { $who }
# The line of a card about its creator's other tokens on that chain: "Creator: 3 other tokens · 1 graduated · 2 failed · 15% in vesting".
risk-fake = 🔴 Fake: the data provider says this isn’t the token it appears to be.
risk-fake-why = 🔴 Fake: { $why }
risk-first = Creator’s first token
risk-others = { $count ->
    [one] Creator: { $count } other token
   *[other] Creator: { $count } other tokens
  }
risk-others-at-least = Creator: at least { $count } other tokens
risk-graduated = { $count } graduated
risk-failed = { $count } failed
# Shares of the supply, in percent.
risk-vested = { $share }% in vesting
risk-vested-own = { $share }% in vesting ({ $own }% to the creator)
risk-alike = { $count ->
    [one] ⚠️ { $count } other token is called { $symbol }
   *[other] ⚠️ { $count } other tokens are called { $symbol }
  }
risk-alike-at-least = ⚠️ At least { $count } other tokens are called { $symbol }

# On the picture of a card. $when is a date with its time in UTC: "22 Nov, 14:30 UTC".
card-starts = Starts { $when }
card-ends = Ends { $when }
card-ended = Ended { $when }
card-graduated = Graduated { $when }
card-gone = No longer listed
card-not-graduated = Not graduated
# Behind the change of the price.
card-in-a-day = in 24 h
# The time that the line of prices covers.
card-over-minutes = over { $count } min
card-over-hours = over { $count } h
card-over-days = { $count ->
    [one] over { $count } day
   *[other] over { $count } days
  }
# In a line about a token: the symbol of its quote token.
list-priced-in = in { $symbol }
# The end of a list that is too long: "a, b and 3 more".
list-more = { $count } more
# $when is relative: "7 seconds ago".
data-stale = Data provider unreachable – showing data from { $when }.

# Buttons of at most some 20 characters.
asset-button-copy = 📋 Copy address
asset-button-details = Details
asset-button-refresh = Refresh
asset-button-auction = Auction
asset-button-asset = Token
asset-button-card = Card
asset-button-alerts = 🔔 Alerts
asset-button-explorer = Explorer
asset-button-pool = Pool

auction-title = Auction of { $name }
auction-sells = Sells
auction-sold-for = Paid in
auction-token = Token
auction-quote-token = Quote token
auction-pool-id = Pool ID

lookalike-letters = ⚠️ Written with look-alike letters: it reads like { $like }, but isn’t.
lookalike-same = ⚠️ Named like { $like }, a well-known coin. Check the address: this may be another token.
lookalike-link = ⚠️ Its name looks like a link ({ $link }). Don’t open it.
# $script is an alphabet: Cyrillic, Greek …
lookalike-mixed = ⚠️ Mixes { $script } letters with Latin ones: it may pass for another name.
lookalike-own-letters = “{ $name }” is written with look-alike letters: it reads like { $like }, a well-known coin, but isn’t. People will see a warning.
lookalike-own-same = “{ $name }” is the name of a well-known coin. People may mix them up, and will see a warning.
lookalike-own-link = “{ $name }” looks like a link ({ $link }). People will see a warning.
lookalike-own-mixed = “{ $name }” mixes { $script } letters with Latin ones. People will see a warning.
# Alphabets, as the texts above name them.
script-cyrillic = Cyrillic
script-greek = Greek
script-armenian = Armenian
script-cherokee = Cherokee
script-coptic = Coptic
script-lisu = Lisu

# Descriptions of the commands, in the platforms' menus: at most 100 characters.
search-about = Find tokens by name, ticker or address
asset-about = Show a token’s card
asset-ask = Which token? Reply with its name, ticker or address.
assets-about = List tokens: live, upcoming or graduated auctions
auction-about = Show a token’s auction
start-about = Start here
help-about = All commands

start-title = Gavel – token auctions
start-text = Search, track and launch tokens sold by auction.
start-send-name = 🔎 Send a name, $ticker or contract address – get its card
start-search = 🔎 { $command } – find a token by name, $ticker or address
start-alerts = 🔔 { $command } – get told about auctions and prices
start-launch = 🚀 { $command } – launch your own token
start-never-asks = I only DM you alerts you turned on. I will never ask for your seed phrase or private key.
start-button-launch = 🚀 Launch a token
start-button-live = 🟢 Live auctions
start-button-newest = 🆕 Newest
start-button-alerts = 🔔 Alerts
start-button-help = ❔ Help
start-button-group = ➕ Add to a group
start-button-channel = 📣 Add to a channel
start-button-server = ➕ Add to a server

# What the bot says when it was let into a group, channel or server.
welcome-title = Hi, I’m Gavel
welcome-text = I post about tokens sold by auction. What should I post here?
welcome-later = { $managers } { $command } shows and changes it at any time.
welcome-button-auctions = 🔔 New and graduated auctions on { $chain }
welcome-button-new = 🔔 New auctions on { $chain }
welcome-button-creator = 🔔 Everything one creator launches…
welcome-button-more = More alerts…

help-title = Commands
help-command = The command to explain
help-all-commands = ◀ All commands
help-just-send = Or just send me a name, $ticker or contract address.
# $example is a command line; $help is a command.
help-options = Options go by name, in any order: { $example }. More about one command: { $help }
# Where options are listed by themselves.
help-more = More about one command: { $help }
help-example = Example: { $line }
# $about describes an option; $choices are its values: "Chain: base or ethereum (required)".
help-option-needed-of = { $about }: { $choices } (required)
help-option-of = { $about }: { $choices }
help-option-needed = { $about } (required)

# Titles and texts of lists of tokens.
assets-all = All
assets-title-all = Tokens on { $chain }
assets-title-live = Live auctions on { $chain }
assets-title-upcoming = Upcoming auctions on { $chain }
assets-title-graduated = Graduated tokens on { $chain }
assets-none = No tokens on { $chain } yet.
assets-none-live = No live auctions on { $chain } right now.
assets-none-upcoming = No upcoming auctions on { $chain } right now.
assets-none-graduated = No graduated tokens on { $chain } yet.
assets-never-graduate = Tokens on { $chain } don’t graduate.
assets-none-with-filters = Nothing on { $chain } matches. Remove a filter.
# The current choice among buttons.
chosen = • { $label }
order-market-cap-highest = Market cap, highest first
order-market-cap-lowest = Market cap, lowest first
order-volume-highest = Volume, highest first
order-volume-lowest = Volume, lowest first
# The same on buttons, three in a row.
order-button-newest = Newest
order-button-market-cap = MC
order-button-volume = Volume

search-title = Search: { $term }
search-title-on = Search: { $term } on { $chain }
# $chains are names joined by "or".
search-none = No token called “{ $term }” on { $chains }. Try part of its name or its ticker.
search-none-and = { $nothing } { $ignored }
# $chain is an option with a testnet's name.
search-none-on-mainnets = { $nothing } For a testnet, add { $chain }.
# Tokens with a name much like what was typed follow.
search-near = No token called “{ $term }” on { $chains }. Did you mean one of these?
# The provider answers for $home whatever chain it is asked for.
chain-ignored = When I ask for tokens on { $chains }, the data provider sends those on { $home }, so I can’t show any.
# Several tokens have this name or ticker.
asset-which = Which { $term }?
asset-did-you-mean = Did you mean one of these?
asset-none = There is no token with the address { $address } on { $chains }.
auction-none = There is no auction pool { $pool } on { $chains }. See { $live } for auctions.
# $name is a token's name and ticker.
auction-none-of = { $name } has no auction pool.
pool-shared = { $address } is a contract that all auctions on its chain share, so it doesn’t stand for one of them. Give the token’s symbol, name or address instead.

# What options take, in the platforms' menus: at most 100 characters.
param-chain = Chain
param-chain-unknown = “{ $typed }” isn’t a chain this bot supports. Use { $chains }.
quote-token-unknown = I don’t know a quote token “{ $typed }” on { $chains }. I know { $known }. For any other, give its address (0x…).
quote-token-near = I don’t know a quote token “{ $typed }” on { $chains }. Did you mean { $near }? If not, give the token’s address (0x…).
quote-token-elsewhere = “{ $typed }” is a quote token on { $chain }, not on { $chains }. Add { $option }.
quote-token-alike = “{ $typed }” could be more than one token on { $chain }: { $tokens }. Give the address (0x…) of the one you mean.
param-category = Only this category
param-limit = How many at most, 1 to { $max }
param-page = Page number
param-asset = Name, ticker or address
param-show = Show everything at once
param-status = Which tokens
param-order = Sort by; newest first if left out
param-numeraire = Only with this quote token (symbol or address)
param-creator = Only by this creator (address)
param-pool = Name, ticker or address of a token, or its pool
# Joins the parts of a suggestion while a name is typed: "Moon Otter $OTTER · 0x1234…abcd · Live · Raised 2 ETH".
asset-choice = { $before } · { $after }

list-previous = ◀ Previous
list-next = Next ▶
list-page = Page { $page }
list-no-more = No more results.
list-repeats = This list can’t be paged: the data provider keeps sending the first page. Use a filter or search instead.
filter-status = status
filter-numeraire = quote token
filter-category = category
filter-creator = creator
filter-term = name
# $filters are some of the words above, joined by "and".
list-all-left-out = The data provider only sent tokens with another { $filters }.
list-all-left-out-see-next = The data provider only sent tokens with another { $filters }. There may be some on the next page.
list-left-out =
    { $count ->
        [one] Left out: 1 token that the data provider sent with another { $filters }.
       *[other] Left out: { $count } tokens that the data provider sent with another { $filters }.
    }
list-not-by-market-cap = Not sorted by market cap: the data provider uses an order of its own.
list-not-by-volume = Not sorted by volume: the data provider uses an order of its own.

error-misconfigured = This bot isn’t set up right
error-unauthorised = The data provider rejects this bot’s API key. The operator can run the doctor to see why.
error-forbidden = The data provider rejects the request. The operator can run the doctor to see why.
error-blocked = A firewall in front of the data provider is blocking this bot. It’s nothing you did; I keep trying.
error-not-found = Not found
error-not-found-text = The data provider has nothing at that address on this chain.
error-invalid = Request rejected
error-invalid-text = The data provider rejected the request. If what you typed is right, the operator can run the doctor to see why.
error-rate-limited = Too busy
error-rate-limited-text = Too many requests right now. Try again in a moment.
error-unavailable = Data provider unreachable
error-unavailable-text = No answer right now. Try again in a moment.
error-malformed = Unreadable answer
error-malformed-text = The data provider sent something I can’t read. Try again in a moment.
error-ours = Something went wrong
error-ours-text = That’s my fault, not yours. If it happens again, send the operator this reference: { $reference }
error-try-again = Try again

# /top, /watchlist
top-about = Top tokens by amount raised, market cap, volume or price change, or the newest
top-what = raised, mcap, volume, moved or new
top-period = Launched within: day or week
# Buttons, several in a row: at most some 12 characters.
top-button-raised = 💰 Raised
top-button-mcap = 💎 Market cap
top-button-volume = 🔊 Volume
top-button-moved = 📈 Moved
top-button-new = 🆕 New
top-button-day = 24 h
top-button-week = 7 days
top-title-raised-day = Raised most on { $chain }, launched in the last 24 h
top-title-raised-week = Raised most on { $chain }, launched in the last 7 days
top-title-mcap = Largest market caps on { $chain }
top-title-volume = Traded most on { $chain } in 24 h
top-title-volume-week = Traded most on { $chain } in 7 days
top-title-moved = Moved most on { $chain } in 24 h
top-title-moved-week = Moved most on { $chain } in 7 days
top-title-new-day = New on { $chain } in the last 24 h
top-title-new-week = New on { $chain } in the last 7 days
# Parts of a line, after the token's name and ticker.
top-raised = Raised { $money }
top-volume = Volume { $volume }
top-not-comparable =
    { $count ->
        [one] 1 more raised in another quote token, which can’t be compared.
       *[other] { $count } more raised in other quote tokens, which can’t be compared.
    }
top-not-in-dollars =
  { $count ->
    [one] { $count } more has a figure in its quote token only.
   *[other] { $count } more have figures in their quote tokens only.
  }
top-day-only = There are no figures for this: the data provider only has price changes and volumes for 24 h.
# Notes on which tokens were looked at, if not all.
top-among-newest = Among the { $count } newest tokens.
top-among-most-traded = Among the { $count } tokens with the highest volume (24h).
top-none-raised-day = Nothing launched on { $chain } in the last 24 h has raised anything yet.
top-none-raised-week = Nothing launched on { $chain } in the last 7 days has raised anything yet.
top-none-raised-uncounted = Pools on { $chain } don’t record how much they raise. Try market cap or volume.
top-none-mcap = No market cap on { $chain } is known in dollars.
top-none-volume = Nothing on { $chain } was traded in the last 24 h.
top-none-moved = No price on { $chain } moved in the last 24 h.
top-none-new-day = Nothing was launched on { $chain } in the last 24 h.
top-none-new-week = Nothing was launched on { $chain } in the last 7 days.
top-undated = The data provider doesn’t say when tokens were launched.

watchlist-about = Your own list of tokens, with the change since you added each
watchlist-add = Name, ticker or address of a token to add
watchlist-title = ⭐ Your watchlist
watchlist-empty = Nothing here yet. Press ⭐ Watch on a token’s card, or use /watchlist with its name.
# $token is a token's name and ticker.
watchlist-added = ⭐ { $token } is on your watchlist
watchlist-full = Your watchlist is full: it holds { $max } tokens. Remove one first.
watchlist-removed = Removed { $address }.
watchlist-remove-title = Which one do you want to remove?
# $change is a change of price: "▲ 12% since added".
watchlist-since = { $change } since added
watchlist-price = Price { $price }
watchlist-no-price = no price right now
watchlist-button-list = ⭐ My watchlist
watchlist-button-remove = Remove…
watchlist-button-remove-this = Remove
creators-about = Alerts about a creator’s auctions
by-about = A creator’s tokens
by-title = Tokens created by { $creator }
by-title-on = Tokens created by { $creator } · { $chain }
by-none = No tokens of this creator on { $chain }.
by-button-alerts = 🔔 Alerts: everything they launch
share-about = Share a token
share-title = Share { $token }
share-title-unlisted = Share this token
share-text = Choose where: you see the post before you send it. Or copy the link:
share-nowhere = There is no page about tokens on { $chain } to link to.
# Buttons of a card, two or more in a row: at most some 16 characters.
asset-button-watch = ⭐ Watch
asset-button-creator = 👤 Creator
asset-button-share = 📤 Share

## Alerts

# What /alerts is for, in the list of commands.
alerts-about = Get alerts about auctions

# The kinds of alerts, on buttons of half a row: at most 18 characters.
alerts-kind-live = 🟢 Live
alerts-kind-incoming = 🕒 Upcoming
alerts-kind-progress = 📈 Progress
alerts-kind-ending = ⏳ Ending
alerts-kind-graduated = 🎓 Graduated
alerts-kind-price = 💲 Price
alerts-kind-mcap = 🏦 Market cap
alerts-kind-digest = 🗓 Daily summary

# When each kind of alert comes, in a list behind the word that is typed for it.
alerts-about-live = an auction goes live
alerts-about-incoming = an auction is announced
alerts-about-progress = 25%, 50%, 75%… sold
alerts-about-ending = an auction is about to end
alerts-about-graduated = an auction graduates
alerts-about-price = a token’s price moves or crosses a value
alerts-about-mcap = a token’s market cap moves or crosses a value
alerts-about-digest = once a day, what happened

# Alerts as a list shows them, without a full stop: when one comes. Those that end in -one are about one token.
alerts-rule-live = Any auction goes live
alerts-rule-live-one = { $name } goes live
alerts-rule-incoming = Any auction is announced
alerts-rule-incoming-one = { $name } is announced
alerts-rule-graduated = Any auction graduates
alerts-rule-graduated-one = { $name } graduates
# $shares: a list such as "25%, 50% and 75%".
alerts-rule-progress = Any auction reaches { $shares } sold
alerts-rule-progress-one = { $name } reaches { $shares } sold
# $time: a duration such as "30 min" or "3 h".
alerts-rule-ending = { $time } before any auction ends
alerts-rule-ending-one = { $time } before { $name } ends
# $change: "10%". $limit: "$0.5".
alerts-rule-price-moves = { $name }’s price moves { $change }
alerts-rule-price-above = { $name }’s price rises above { $limit }
alerts-rule-price-below = { $name }’s price falls below { $limit }
alerts-rule-mcap-moves = { $name }’s market cap moves { $change }
alerts-rule-mcap-above = { $name }’s market cap rises above { $limit }
alerts-rule-mcap-below = { $name }’s market cap falls below { $limit }
# $time: "09:00". $zone: "Europe/Berlin".
alerts-rule-digest = Daily summary at { $time }, { $zone }
# An alert, or a daily summary, with what narrows it: a chain, a category, a creator. For example "Any auction goes live · Base".
alerts-rule-filtered = { $rule } · { $filters }
alerts-filter-quote = quote token { $token }
alerts-filter-creator = creator { $creator }
alerts-filter-name = named “{ $name }”
alerts-filter-mcap = market cap ≥ { $amount }
alerts-filter-raised = raised ≥ { $amount }
# Stands for the name of a token that is unknown.
alerts-some-token = A token
alerts-limit-quote = { $amount } (in the quote token)
alerts-minutes = { $count } min
alerts-hours = { $count } h

# The same on buttons. Those of progress, ending and price stand on half a row: at most 18 characters.
alerts-short-progress = 📈 Progress { $shares }
alerts-short-ending = ⏳ Ending: { $time }
alerts-short-price-moves = 💲 Price ±{ $change }
alerts-short-price-above = 💲 Price above { $limit }
alerts-short-price-below = 💲 Price below { $limit }
alerts-short-mcap-moves = 🏦 Market cap ±{ $change }
alerts-short-mcap-above = 🏦 Market cap above { $limit }
alerts-short-mcap-below = 🏦 Market cap below { $limit }
alerts-short-any-chain = { $rule }, any chain

# Titles of alerts. $token is name and symbol.
alerts-incoming = 🕒 Upcoming: { $token }
alerts-live = 🟢 Live now: { $token }
alerts-graduated = 🎓 Graduated: { $token }
alerts-ended = ⏹️ Ended: { $token }
alerts-gone = ⏹️ No longer listed: { $token }
alerts-progress = 📈 { $share } sold: { $token }
alerts-sold-out = ✅ Sold out: { $token }
alerts-ending-soon = ⏳ Ending soon: { $token }
alerts-ending = ⏳ Ends in { $hours } h: { $token }
alerts-price-above = ▲ Price above { $limit }: { $token }
alerts-price-below = ▼ Price below { $limit }: { $token }
# $change has its own arrow: "▲ 12.4%".
alerts-price-moved = 💲 Price { $change }: { $token }
alerts-price-rose = ▲ Price up: { $token }
alerts-price-fell = ▼ Price down: { $token }
alerts-mcap-above = ▲ Market cap above { $limit }: { $token }
alerts-mcap-below = ▼ Market cap below { $limit }: { $token }
alerts-mcap-moved = 🏦 Market cap { $change }: { $token }
alerts-mcap-rose = ▲ Market cap up: { $token }
alerts-mcap-fell = ▼ Market cap down: { $token }
# Several alerts in one message: its title, and what follows a token's name in a line, between dots.
alerts-several = 🔔 { $count ->
    [one] 1 alert
   *[other] { $count } alerts
  }
alerts-detail-ends = ends { $time }
alerts-detail-starts = starts { $time }
alerts-detail-now = now { $value }
# $change: "▲ 12.4%". $before is the price at the alert before.
alerts-value-changed = { $value }  { $change } from { $before }
# What became of an auction.
alerts-outcome-sold-out = Sold out and graduated.
alerts-outcome-graduated = The auction is over: it graduated.
alerts-outcome-ended = Ended without graduating.
alerts-outcome-ended-at = Ended without graduating, { $share } sold.
alerts-outcome-gone = The data provider no longer lists it.

# The daily summary. $date: "2026-11-21".
alerts-digest-title = 🗓 Daily summary, { $date }
alerts-digest-counts = { $live } live · { $wentLive } went live · { $graduated } graduated
alerts-digest-ending = Ending within 24 hours
alerts-digest-newest = Newest
alerts-digest-graduated = Graduated
alerts-digest-movers = Top movers (24h)
alerts-digest-zone = Days are counted in { $zone }.

# The list of a chat's alerts: titles, after a bell or a warning sign.
alerts-list-own = Your alerts
alerts-list-chat = Alerts here
alerts-list-topic = Alerts in this topic
# The name of the other chat follows.
alerts-list-other-chat = Alerts
alerts-list-empty = No alerts yet. Press Add to choose some, or use { $line }
alerts-list-no-more = No more alerts.
# $until: what ends the pause, a sentence.
alerts-paused = ⏸️ Alerts are paused. { $reason } { $resume }
alerts-resumed = { $reason } Alerts are back on from now.
alerts-resume-own = Use { $command } here to turn them back on.
alerts-lost-blocked = You had blocked me, so nothing was sent.
alerts-lost-removed = I had been removed, so nothing was sent.
alerts-lost-gone = There was no such place any more, so nothing was sent.
alerts-lost-topic-closed = The topic was closed, so nothing was sent.
alerts-lost-forbidden = I wasn’t allowed to post, so nothing was sent.
alerts-lost-refused = The platform refused several messages in a row.
alerts-lost-operator = The operator of this bot paused them.
alerts-resume-operator = Only they can resume them.
alerts-muted = 🔕 Muted until someone unmutes. Alerts during the mute are skipped.
alerts-muted-until = 🔕 Muted until { $time }. Alerts during the mute are skipped.
# Stands for the name of a chat that has none.
alerts-chat-id = chat { $id }

# Who may change alerts, and what the bot needs, on Telegram …
telegram-only-managers = Only administrators can change this.
telegram-not-manager = Only administrators can change alerts here. DM me to set up your own.
telegram-manager-resumes = They resume once an administrator sends /alerts here.
telegram-alerts-begun = An administrator turned on alerts here. Administrators can see and change them with /alerts.
telegram-not-managed = I can’t set up that chat: I’m not in it, or you’re not an administrator there. Add me as an administrator who can post, and try again.
telegram-cant-post = I can’t post in that chat. Make me an administrator who can post, and try again.
telegram-managers-unseen = I can’t see who the administrators of this chat are. Make me an administrator, and try again.
# … and on Discord. Manage Server and so on are Discord's names of its permissions, in the reader's language.
discord-only-managers = Only people with Manage Server or Manage Webhooks can change this.
discord-not-manager = You need Manage Server or Manage Webhooks to change alerts here. DM me to set up your own.
discord-manager-resumes = They resume once someone with Manage Server or Manage Webhooks uses /alerts here.
discord-alerts-begun = Someone with Manage Server or Manage Webhooks turned on alerts here. Others with these permissions can see and change them with /alerts.
discord-not-managed = I can’t set up that channel: I’m not in it, or you have neither Manage Server nor Manage Webhooks there. Give me View Channel and Send Messages, and try again.
discord-cant-post = I can’t post in that channel. Give me View Channel and Send Messages, and try again.
discord-managers-unseen = I can’t see who may change alerts here. Give me View Channel in this channel, and try again.
alerts-begun = 🔔 Alerts are on here
alerts-cant-post-now = I couldn’t post there just now. Try again in a moment.
alerts-managers-unknown = I can’t check right now who may change alerts here. Try again in a moment.
alerts-managers-unknown-there = I can’t check right now who may change alerts there. Try again in a moment.
alerts-other-chat-private = Another chat or channel can only be set up in our DM. Send it to me there.
# Where a person brought the bot along, on Discord. $add is a link.
alerts-guest = I’m not a member here, so I can only answer. For alerts and settings, add me to a server of yours, or use this in our DM. { $add }

# Buttons: at most 18 characters where two share a row.
alerts-button-alerts = 🔔 Alerts
alerts-button-list = ◀ All alerts
alerts-button-all = All alerts
alerts-button-back = ◀ Back
alerts-button-add = Add
alerts-button-add-more = Add more
alerts-button-change = Change
alerts-button-remove = Remove
alerts-button-remove-all = Remove all
alerts-button-keep = Keep them
alerts-button-mute = Mute
alerts-button-unmute = Unmute
alerts-button-channel = Set up a channel
alerts-button-pick-channel = Choose a channel
alerts-button-pick-group = Choose a group
alerts-button-own = My alerts
alerts-button-live-auctions = Live auctions
alerts-button-follow = Follow
alerts-button-unfollow = Unfollow
alerts-button-ticked = ✓ { $label }

# The label of a button and of the form that it opens, where a value is typed.
alerts-set-price = Set price…
alerts-set-mcap = Set market cap…
alerts-set-progress = Set percent…
alerts-set-ending = Set minutes…
alerts-set-digest = Set hour…
alerts-set-min-mcap = Minimum market cap…
alerts-set-min-raised = Minimum raised…
alerts-set-creator = Only one creator…
alerts-min-mcap-title = Minimum market cap
alerts-min-raised-title = Minimum raised
alerts-creator-title = Only one creator
alerts-button-filters = More filters…
# $filter: one of the names below.
alerts-set-filter = { $filter }…
alerts-name-title = Name or ticker
alerts-category-title = Category
alerts-any-category = Any category
alerts-any-chain = Any chain
# Asks for a value, which is sent as a message or typed into a form. $value is an example.
alerts-ask-price = Which price? Like { $value }, or a change, like { $change }
alerts-ask-mcap = Which market cap? Like { $value }, or a change, like { $change }
alerts-ask-progress = Which percentages? Like { $example }
alerts-ask-ending = How many minutes before the end? Like { $example }, or hours, like { $hours }
alerts-ask-digest = At which hour in UTC? Like { $example }, or with your city, like { $city }
# In a group, where a message reaches the bot only as a reply.
alerts-ask-reply = { $ask } – reply to this message
alerts-ask-min-mcap = What is the lowest market cap that you want alerts for? Like { $example }
alerts-ask-min-raised = How much must an auction have raised at least? Like { $example }
alerts-minimum-about = You get no alert below the minimum, or while the figure isn’t known. “Live”, “upcoming” and “graduated” come once it is reached.
alerts-no-minimum = No minimum
alerts-ask-creator = What is the creator’s address? Like { $example }
alerts-ask-name = Which part of the name or ticker? Like { $example }
alerts-ask-quote = Which quote token? Its symbol or address, like { $example }
alerts-ask-category = Which category? Like { $example }
alerts-ask-chain = Which chain? Like { $example }
alerts-creator-about = Or open one of their tokens and tap 👤 Creator.
alerts-ask-side = Above or below? I can’t see the current value. Write { $above } or { $below }
# $text is what a person typed in place of a value.
alerts-button-search = 🔎 Search “{ $text }”

# One alert, and what became of it.
alerts-one = 🔔 Alert
alerts-added = { $count ->
    [one] Alert added
   *[other] { $count } alerts added
  }
alerts-existing = { $rule } (already there)
alerts-nothing-new = Nothing new
alerts-changed = ✅ Updated
alerts-removed = { $count ->
    [0] Nothing to remove
    [one] 🔕 Alert removed
   *[other] 🔕 { $count } alerts removed
  }
alerts-remove-all = { $count ->
    [one] Remove 1 alert?
   *[other] Remove { $count } alerts?
  }
alerts-remove-all-about = You’ll stop getting these alerts. This can’t be undone.
alerts-mute = 🔕 Mute for how long?
alerts-mute-about = Alerts during the mute are skipped.
alerts-set-mute = Another time…
alerts-ask-mute = Or for another time, like { $examples }
alerts-mute-on = Until unmuted
alerts-hint-zone = This is in UTC. For your own time zone, use { $line }
alerts-hint-role = To ping a role with it, use { $line }

# Choosing an alert.
alerts-choose = Which alerts do you want?
alerts-or-type = Or type, for example: { $line }
alerts-current = Now { $value }
alerts-which-token = This alert is for one token. Choose it here, or tap 🔔 Alerts on its card.
alerts-preset-any = Any auction
alerts-preset-token = This token
alerts-preset-above = ▲ { $value }
alerts-preset-below = ▼ { $value }
alerts-preset-percents = { $first } … { $last }
alerts-preset-percents-all = { $all }
alerts-pick = Set up a channel
alerts-pick-about = Choose a channel or group, and set up its alerts here in our DM. I need to be an administrator there who can post.

# The alerts about one token, under its name.
alerts-token-own = Your alerts for this token:
alerts-token-chat = Alerts here for this token:
alerts-token-topic = This topic’s alerts for this token:
alerts-token-other-chat = Alerts for this token:
alerts-token-none = No alerts for this token yet.
alerts-token-note = Chat-wide alerts may also cover it: see All alerts.

# Remarks on an alert that was just added. $value is the present value of the figure that it compares; $name its name, such as “Price”.
alerts-already-above = Now { $value }: already above. You’ll get an alert when it falls below and rises above again.
alerts-already-below = Now { $value }: already below. You’ll get an alert when it rises above and falls below again.
alerts-value-unknown = { $name } isn’t known right now. Alerts can start once it is.
alerts-already-sold = { $share } is already sold, so this alert won’t come.
alerts-already-ending = It ends in less than { $time }, so this alert won’t come.
alerts-never-ends = It has no end, so this alert won’t come.
alerts-never-graduates = Tokens on { $chain } don’t graduate, so this alert won’t come.
# $kinds: words that are typed for kinds of alerts, such as "live and progress".
alerts-over-incoming = { $token } has already been announced, so there will be no more { $kinds } alerts.
alerts-over-live = { $token } is already live, so there will be no more { $kinds } alerts.
alerts-over-graduated = { $token } has graduated already, so there will be no more { $kinds } alerts.
alerts-over-ended = The auction of { $token } is over, so there will be no more { $kinds } alerts.
alerts-over-gone = { $token } is no longer listed, so there will be no more { $kinds } alerts.
alerts-instead = { $remark } What can still come: { $line }

# Options of /alerts in its help and on Discord: at most 100 characters with the kinds before them.
# $kinds: words that are typed, such as "price, mcap".
alerts-param-of = { $kinds }: { $about }
alerts-param-what = What to do, with its options: add …, mute 8h, remove all; empty for the list
alerts-param-category = Only this category
alerts-param-name = Only with this in the name or ticker
alerts-param-mcap = Only at or above this market cap, or any
alerts-param-raised = Only once this much is raised, or any
alerts-param-quote = Only with this quote token
alerts-param-creator = Only by this creator
alerts-param-token = One token: name, ticker or address
alerts-param-percent = percent sold, like 25,50,100
alerts-param-minutes = minutes before the end, 5–1440
alerts-param-above = rises above this
alerts-param-below = falls below this
alerts-param-move = moves by this many percent
alerts-param-hour = hour of the day, 0–23
alerts-param-zone = time zone or city (default: UTC)
alerts-param-in = ID of another chat or channel you manage (DM only)
alerts-guide-one = one alert, by its number in the list; remove all
alerts-guide-mute = 30m, 8h, 7d, or on
alerts-guide-channel = set up a channel or group from our DM (Telegram)
# A role on Discord that alerts notify. $role: its name, with an @.
alerts-param-role = Ping this role with each alert
alerts-role-unreadable = “{ $typed }” isn’t a role. Choose one from the list.
alerts-role-unfit = Roles can only be pinged in servers on Discord.
alerts-role-later = Give the kind and the token along with { $option }, or change the alert after adding it.
alerts-with-role = { $rule } · pings { $role }
alerts-role-set = Each alert pings { $role }.
alerts-role-unset = Its alerts don’t ping a role.
alerts-button-no-role = Stop pinging
discord-role-unknown = There is no such role here.
discord-role-not-yours = You can’t mention { $role }. Choose a role that anyone can mention, or get the permission Mention Everyone.
discord-role-not-mine = I can’t mention { $role }. Let anyone mention it, or give me the permission Mention Everyone.
alerts-follow-about = Alerts for one token
alerts-follow-on = Alerts to add
alerts-follow-off = Alerts to remove

# Refusals. What stands in quotes is what the person typed; commands, options and kinds stay as they are typed.
alerts-kind-unknown = Unknown alert “{ $typed }”. Use: { $kinds }.
alerts-kind-near = Unknown alert “{ $typed }”. Did you mean { $near }?
alerts-subcommand-unknown = Unknown word “{ $typed }”. Use add (like { $example }), show, change, remove, mute or unmute; /alerts alone shows the list.
alerts-subcommand-near = Unknown word “{ $typed }”. Did you mean { $near }? Use add (like { $example }), show, change, remove, mute or unmute; /alerts alone shows the list.
alerts-option-with-add = { $option } only works with add, like { $example }
alerts-option-unnamed = Unknown alert “{ $typed }”. Options need their name, like { $example }
alerts-option-unfit = { $option } only works with { $supporting }, not with { $requested }.
alerts-one-value = Use only one of { $options } in an alert, and add another alert for the other.
alerts-shared-value = { $kinds } can’t share one value. Add them one by one.
alerts-token-needed = A { $kind } alert is for one token: add { $option } with its ticker or address, or tap 🔔 Alerts on its card.
alerts-token-unfit = { $option } doesn’t work with { $kind }, which covers many tokens. Add { $kind } on its own.
alerts-filter-unfit = { $filter } doesn’t work with { $option }, which already names one token. Use only one of them.
alerts-token-by-itself = Alerts for { $kinds } need one token. Add them on their own, { $first }, and the rest as { $second }
alerts-change-what = What should change? For example: { $example }
alerts-amount-unreadable = “{ $typed }” isn’t an amount. Write 0.5, 1.5e-7, 300k or 2.5m.
alerts-amount-impossible = “{ $typed }” can’t be reached. Use an amount above 0 that a price can have.
alerts-amount-ambiguous = “{ $typed }” can be read in two ways. Write { $thousands } or { $fraction }.
alerts-percent-unreadable = “{ $typed }” doesn’t fit. Use whole numbers from { $min } to { $max }, like 25,50.
alerts-percent-many = That’s { $count } values; the maximum is { $max }.
alerts-zone-unknown = Unknown time zone “{ $typed }”. Use a city or a name like Europe/Berlin, America/New_York or UTC.
alerts-zone-near = Unknown time zone “{ $typed }”. Did you mean { $near }? Or use another city, or UTC.
alerts-category-unknown = Unknown category “{ $typed }”. Use { $categories }.
alerts-chat-unreadable = “{ $typed }” isn’t the ID of a chat or channel, which is a number.
alerts-mute-unreadable = For how long? Use { $examples } (a year at most), or { $on } to mute until { $unmute }.
alerts-which-number = Which alert? Give its number from { $command }
alerts-none-of-number = There is no alert { $number } here. See { $command }
alerts-gone-already = This alert is already gone. See { $command }
alerts-done-already = Already done. See { $command }
alerts-too-many = { $count ->
    [one] There is 1 alert here already, and there can’t be more. Remove it with { $command } first.
   *[other] There are { $count } alerts here already, and there can’t be more. Remove some with { $command } first.
  }
alerts-channel-telegram = Send { $line } to me in a DM on Telegram.
alerts-follow-unreadable = “{ $typed }” isn’t an alert. Open the token’s card, tap 🔔 Alerts, then the alert to remove.

## Launch: the questions, the review, what becomes of it

# Menu of commands.
launch-command = Launch your own token
launch-command-launching = Continue a launch
launch-command-launches = Your drafts and launches
launch-command-cancel = Discard the draft you started
launch-command-metadata = Upload a token’s metadata without launching it
launch-param-token = Its symbol, then its name: RIVER River Heron
launch-param-from = The chat it was started in
launch-param-from-wrong = Just send /launch – I’ll ask for the details.
launch-picture-alone = Launch a token with this picture?
launch-picture-alone-caption = Send the picture again with the caption { $example }, or start with { $launch } and send it when I ask for the logo.
launch-picture-alone-option = Start with { $launch } and send the picture when I ask for the logo.
launch-param-step = What to do
launch-not-set-up = Launching isn’t set up here: the data provider lists no templates, so the bot’s operator has to add one (TEMPLATES).
launch-templates-unavailable = The data provider can’t list its templates right now. Try again in a moment.

# A question: its number, its short name, and what stands below it.
launch-question-title = Question { $number } of { $of }: { $label }
launch-answered = { $answered } of { $of } answered
launch-example = Example
launch-allowed = Allowed
launch-now = Now
launch-left-out = skipped
launch-you-typed = You typed
launch-none = none

# Buttons below a question, some 20 characters at most.
launch-answer = Answer
launch-keep = Keep
launch-skip = Skip
launch-leave-out = Remove
launch-back = ◀ Back
launch-cancel = Cancel

# Forms on Discord: titles, and what is asked beside a field. `$about` says what the field is for.
launch-form = Your token
launch-form-metadata = Your metadata
launch-form-optional = { $about } (optional)
launch-form-old = This form is outdated. /launch shows where you are.

# The questions, in the order in which they are asked: short name, question, what is allowed, what is refused.
launch-chain = Chain
launch-chain-question = Which chain do you want to launch on?
launch-chain-unknown = I can’t launch there. Choose { $chains }.

launch-template = Template
launch-template-question = How should it be sold?
launch-template-unknown = There’s no such template. Choose { $templates }.
launch-template-gone = This bot no longer offers that template. /launch shows the current ones.
launch-template-missing = The data provider doesn’t have the template that you chose on { $chain }.
launch-template-other = The template’s terms are no longer what your review showed. Check them below as they are now, then confirm.
# In the place of how much is to be raised.
launch-template-no-minimum = no minimum: it trades from the start, however little people buy
launch-no-launcher = This bot doesn’t know the launch contract on { $chain }, so nothing can be launched there. The operator can set it in LAUNCHERS.

launch-name = Name
launch-name-question = What’s your token called?
# `$example` is a command line.
launch-all-at-once = Or send it all at once: your logo with the caption { $example }
launch-all-at-once-option = Or all at once: { $example } – I’ll ask for the logo next.
launch-name-allowed = 1–{ $max } characters on one line; emoji are fine.
launch-name-form = Up to { $max } characters
launch-name-keep = Use this name
launch-name-lookalike = “{ $name }” uses look-alike letters: it reads like a token that already exists.

launch-symbol = Symbol
launch-symbol-question = What’s its ticker symbol?
launch-symbol-allowed = 1–15 letters A–Z and digits.
launch-symbol-allowed-letters = 1–15 letters A–Z. { $chain } takes each symbol once in 24 hours.
# `$pattern` is a regular expression.
launch-symbol-allowed-pattern = Whatever matches { $pattern }
launch-symbol-wrong = “{ $symbol }” can’t be a symbol. Allowed: { $allowed }
launch-symbol-long = “{ $symbol }” has { $count } characters. Allowed: { $allowed }
launch-symbol-keep = Use it anyway
launch-symbol-show = Show that token
launch-symbol-unchecked = I couldn’t check whether { $symbol } already exists: the data provider isn’t responding.
launch-symbol-exists = { $symbol } already exists. Send another symbol, or use it anyway.
launch-symbol-reads-like = { $symbol } reads like { $other }, which already exists. Send another symbol, or use it anyway.
launch-symbol-exists-on = { $symbol } already exists on { $chain }. Send another symbol, or use it anyway: people may confuse the two.
launch-symbol-reserved = { $symbol } is taken on { $chain }: another token was launched with it within the last 24 hours. Change it, or launch later.
launch-symbol-reads-like-on = { $symbol } uses look-alike letters: it reads like { $other }, which already exists on { $chain }. Send another symbol, or use it anyway: people may confuse the two.

launch-description = Description
launch-description-question = Describe your token. You can’t change this later.
launch-description-allowed = Up to { $max } characters, on several lines if you like.
launch-description-form = Up to { $max } characters

launch-logo = Logo
launch-logo-question = What is your token’s logo? A photo, a file or an IPFS link.
launch-logo-question-ipfs = Where on IPFS is your token’s logo? This bot can’t upload files.
launch-logo-allowed = PNG, JPEG, WebP or GIF up to 10 MB; it’s cropped to a square. Or an IPFS CID or link.
launch-logo-allowed-ipfs = An IPFS CID, an ipfs:// address or a gateway’s https link.
launch-logo-form = An IPFS CID or link
launch-logo-or-ipfs = Or the logo’s IPFS CID or link
launch-logo-file = PNG, JPEG, WebP or GIF up to 10 MB
launch-logo-no-cid = That isn’t an IPFS CID or link. Send the picture itself, or its CID.
launch-logo-no-cid-ipfs = That isn’t an IPFS CID or link. Upload the picture to IPFS, then send its CID.
launch-logo-no-files = This bot can’t upload files. Put the picture on IPFS yourself and send its CID.
launch-logo-cropped = This is how your logo will look: the middle of your picture, 512 × 512 pixels.
launch-logo-cropped-next = Use it, or send another one.
launch-logo-use = Use it
launch-logo-another = Send another
launch-logo-keep-old = Keep the old one
launch-logo-none = No logo
launch-logo-gone = That picture is no longer stored. Send it again.

# Pictures that can't be used.
launch-image-busy = Many pictures are being processed right now. Send yours again in a minute.
launch-image-large = This file is over 10 MB. Send a smaller picture.
launch-image-detailed = I can’t make this picture small enough. Send one with less detail.
launch-image-scans = I can’t process this JPEG. Save it again as PNG or JPEG and send that.
launch-image-damaged = I can’t read this picture: it’s damaged or incomplete. Save it again as PNG or JPEG and send that.
# `$size`, `$most`, `$least` and `$best` are such as 4000 × 3000.
launch-image-pixels = This picture is too large: { $size } pixels. Send one of { $most } at most.
launch-image-small = This picture is too small: { $size } pixels. Send at least { $least }; { $best } is best.
launch-image-empty = This file is empty. Send a PNG, JPEG, WebP or GIF.
launch-image-svg = I can’t take SVG files, as they can contain code. Save it as PNG and send that.
launch-image-page = This is a web page or text, not a picture. Send a PNG, JPEG, WebP or GIF.
launch-image-pdf = This is a PDF. Save the page as PNG or JPEG and send that.
launch-image-heic = I can’t take HEIC or AVIF files. Save it as JPEG, or send it as a photo instead of a file.
launch-image-video = This is a video or an animation. Send a PNG, JPEG, WebP or GIF.
launch-image-archive = This is an archive. Unpack it and send the picture inside: a PNG, JPEG, WebP or GIF.
launch-image-format = I can’t take this format. Save it as PNG or JPEG and send that.
launch-image-unknown = I can’t read that picture. Send a PNG, JPEG, WebP or GIF.

launch-links = Links
launch-links-question = Website and socials, one per line.
launch-links-allowed = Up to { $max } links that start with https://, each with a label before it if you like.
launch-links-form = One per line, such as: Website https://…
launch-links-none = Send at least one link, or skip this.
launch-links-many = At most { $max } links; you sent { $count }.
launch-links-twice = This link is listed twice. Send it once.
launch-links-label-long = The label before this link is too long: at most { $max } characters.
launch-link-no-scheme = Send the whole link, starting with https://.
# `$scheme` is such as http:.
launch-link-scheme = A link must start with https:, not { $scheme }
launch-link-password = A link must not contain a user name or password.
launch-link-not-public = A link must lead to a public site, such as { $example }, and be at most 512 characters long.
# The review's line of one link; `$label` is such as Website.
launch-link-field = Link: { $label }
launch-more-links = More links

launch-categories = Categories
launch-categories-question = What kind of token is it?
launch-category-builder = Builder coin
launch-category-product = Product coin
launch-categories-both = Both
launch-categories-unknown = Choose { $categories }, or skip this.

launch-wallet = Wallet
launch-wallet-question = Which wallet will sign the launch and pay the gas? Its address is all I need. Nobody here ever asks for a private key or seed phrase.
# A button; `$wallet` is such as 0xf39F…2266.
launch-wallet-again = Same as last time: { $wallet }
launch-wallet-allowed = 0x and 40 characters.
launch-wallet-form = The address that signs and pays the gas

launch-fee-receiver = Fee receiver
launch-fee-receiver-question = Which address should the token’s metadata show as fee receiver? It’s only shown there and doesn’t change who gets the fees.
launch-fee-receiver-allowed = An address, or “wallet” for the wallet that signs.
launch-fee-receiver-address = An address.
launch-fee-receiver-form = An address
launch-fee-receiver-same = Same wallet

launch-vesting = Vesting
# `$days` is over how many days the tokens are released, `$cliff` how many of them pass before the first.
launch-vesting-question = Vesting: who gets locked tokens, released over the time that the template sets? One per line.
launch-vesting-question-days = Vesting: who gets locked tokens, released over { $days ->
    [one] { $days } day
   *[other] { $days } days
}? One per line.
launch-vesting-question-cliff = Vesting: who gets locked tokens, released over { $days ->
    [one] { $days } day
   *[other] { $days } days
}, with nothing in the first { $cliff ->
    [one] { $cliff } day
   *[other] { $cliff } days
}? One per line.
launch-vesting-allowed = Up to { $max } addresses, each with a share of the supply, such as 5%, or an amount, such as 5000000 tokens; { $percent } in total at most.
launch-vesting-form = One per line: address and 5%, or address and 5000000 tokens
launch-vesting-no-unit = Write { $share } or { $tokens }: { $number } alone could mean either.
# `$typed` is such as 5% or 5000000 tokens.
launch-vesting-unit = Write { $typed } if you mean that: a number needs its unit.
launch-vesting-no-number = Write a share, such as 5%, or an amount, such as 5000000 tokens.
launch-vesting-too-much = With this one it’s { $sum } of the supply. At most { $max } can be vested.
launch-vesting-small = { $account } gets { $tokens } tokens, only { $percent } of the supply of { $supply }. Is that what you meant?
launch-vesting-meant = Yes, that’s right

launch-beneficiaries = Fee split
# `$own` is such as 95%.
launch-beneficiaries-question = Split your trading fees with anyone? { $own } of all trading fees are yours; what you give others comes out of that. One per line.
launch-beneficiaries-allowed = Up to { $max } addresses, each with its share; { $own } in total at most.
launch-beneficiaries-form = One per line: address and share, such as 0x… 35%
launch-beneficiaries-no-percent = Write the share with a percent sign, such as 35%.
launch-beneficiaries-too-much = With this one the shares add up to { $sum }. At most { $max } can be shared.
launch-beneficiaries-over = Others would get { $sum } of the trading fees, but this template lets you give away { $max } at most. Change the fee split.

# Lists of addresses. `$problem` is one of the sentences around here.
launch-list-entry = Entry { $number }: { $problem }
launch-accounts-none = Send at least one line, or skip this.
launch-accounts-many = At most { $max } addresses; you sent { $count }.
launch-accounts-twice = This address is listed twice. Send it once.
launch-accounts-no-value = Add how much it gets after the address, such as { $example }.
launch-account-zero = This is the zero address: whatever it gets is lost. Send another address.
launch-tokens-no-number = Write the number of tokens in digits, such as 1000000 tokens or 1.5M tokens.
# `$less`, `$more` and `$typed` are such as 2 tokens, as they are typed.
launch-tokens-whole = Only whole tokens can vest: write { $less } or { $more }, not { $typed }.
launch-tokens-least = Only whole tokens can vest: write at least { $more }, not { $typed }.
launch-tokens-many = At most { $max } tokens can be written into the metadata.
launch-tokens-zero = The number of tokens must be more than 0.
launch-percent-no-number = Write the percentage in digits, such as 5% or 2.5%.
launch-percent-decimals = A percentage can have at most 16 decimals.
launch-percent-whole = { $percent } of { $supply } tokens isn’t a whole number of tokens. Write another share, or an amount, such as 5000000 tokens.
launch-percent-zero = A percentage must be more than 0.
launch-percent-over = A percentage can’t be over 100%.

# Texts that can't be used as they are. `$code` is a character's code, such as U+200B.
launch-text-empty = Use characters that people can see.
launch-text-lines = Send it on one line, without line breaks.
launch-text-tab = There’s a tab ({ $code }) in it. Type it again without it.
launch-text-control = There’s a control character ({ $code }) in it. Type it again without it.
launch-text-direction = There’s a character in it that changes the writing direction ({ $code }). Type it again without it.
launch-text-unseen = There’s an invisible character in it ({ $code }). Type it again without it.
launch-text-accents = There are accents without a letter in it, or too many on one letter. Leave them out.
launch-text-long = At most { $max } characters; yours has { $count }.
launch-text-bytes = That takes up too much space (over { $max } bytes). Use fewer emoji.
launch-text-address = That’s an address. I’ll ask for addresses later.
launch-text-link = That’s a link. I’ll ask for links later.
# `$script` is an alphabet, such as Cyrillic.
launch-text-mixed = “{ $letter }” ({ $code }) is { $script }, in a word of Latin letters. Write each word in one alphabet.
secret-sent = ⚠️ This looks like a private key or seed phrase. I didn’t save it. Move what it protects to a new wallet: anyone who has seen it can take everything. Never send one to anyone – a launch needs only your address, and anyone who asks for more is a scammer.
secret-or-hash = ⚠️ This is a private key, a transaction hash or a pool ID: they look alike, so I didn’t save it. If it’s a key, move what it protects to a new wallet now: anyone who has seen it can take everything. If it’s a hash, nothing is lost: I’ll find your launch myself, see /launches. If it’s a pool ID, send it with /auction.
# Above that, on Telegram: whether the bot could delete the message.
secret-deleted = 🗑️ I deleted your message.
secret-delete = ⚠️ Delete your message now: I’m not allowed to do it here.

# What became of the answers. `$labels` are the short names of questions.
launch-saved = Saved: { $labels }.
launch-skipped = Skipped: { $labels }. You can add more at the review.
launch-not-asked = not asked for this launch, so it’s left out.
launch-mistyped = There’s no answer called “{ $word }”. Did you mean “{ $near }”?
launch-all-answered = Everything is answered. Confirm below, or change an answer.
launch-first-file-only = I took only the first file.
launch-caption-unused = I didn’t use the caption as an answer; send it on its own.
launch-concurrent-answer = Two answers came in at the same moment, and this one wasn’t saved. Here’s where you are; send it again if it still fits.
launch-metadata-about = This uploads logo and metadata and gives you their address. No token is launched.
launch-resumed = Continuing your launch from { $since }.
launch-resumed-metadata = Continuing your upload from { $since }.
launch-last-expired = Your last draft expired: you hadn’t touched it since { $since }. This is a new one.
launch-other-waits = Another launch of yours is waiting for your signature: see /launches.
launch-nothing-to-cancel = There’s nothing to cancel. /launches shows your launches; /launch starts a new one.
launch-answered-already = Already answered. /launch continues where you are.
launch-answered-metadata = Already answered. /metadata continues where you are.
launch-closed-expired = This draft expired after a week without changes. /launch starts a new one.
launch-closed-expired-metadata = This draft expired after a week without changes. /metadata starts a new one.
launch-closed-uploaded = Already uploaded – see /launches. /metadata starts a new one.
launch-closed-built = This launch is already built – see /launches.
launch-closed-gone = This launch is gone. /launch starts a new one.
launch-closed-gone-metadata = This upload is gone. /metadata starts a new one.

# The review.
launch-review = Review: { $token }
launch-review-cost = Cost: only the gas, paid by your wallet. This bot takes nothing.
launch-review-confirm = Nothing happens until you confirm and sign in your own wallet. After you confirm, you’ll see what the transaction really does, line by line, and get a link to sign it.
# Where there is no signing page.
launch-review-confirm-file = Nothing happens until you confirm and sign in your own wallet. After you confirm, you’ll see what the transaction really does, line by line, and get the transaction as a file.
launch-review-announce = Once it’s live, it can be announced where you started.
launch-review-upload-cost = This costs nothing: it’s an upload, and no token is launched.
launch-review-upload = Nothing is uploaded until you press Upload. Then you get the address of the metadata.
# Buttons of the review. `$label` is the short name of a question.
launch-confirm = Confirm
launch-upload = Upload
launch-change = ✎ { $label }
launch-announce-on = 🔔 Announce it there: on
launch-announce-off = 🔕 Announce it there: off
# The same in the channel itself, on Discord.
launch-announce-on-here = 🔔 Announce it in this channel once it’s live: on
launch-announce-off-here = 🔕 Announce it in this channel once it’s live: off

launch-discard = Discard this draft?
launch-discard-upload = Discard this upload?
launch-discard-about = All your answers will be deleted.
launch-discard-yes = Discard
launch-discard-no = Keep editing
launch-discarded = Draft discarded
launch-discarded-about = Nothing was launched. /launch starts a new one.
launch-discarded-upload = Nothing was uploaded. /metadata starts a new one.
launch-open-launch = You have an open launch draft
launch-open-upload = You have an open metadata upload
launch-open-about = You started it { $since }. Finish or discard it first: one at a time.
launch-open-about-named = You started { $name } { $since }. Finish or discard it first: one at a time.
launch-discard-it = Discard it

# Building: steps with what came of each, and why it stopped.
launch-step = { $mark } { $label }
launch-step-earlier = Earlier transaction
launch-step-metadata = Metadata
launch-step-built = Transaction
launch-step-check = Check
launch-step-not-launched = not launched
launch-step-is-built = built
launch-step-failed = failed
launch-step-on-ipfs = already on IPFS
launch-step-published = uploaded to IPFS
launch-step-published-unchecked = uploaded to IPFS; not read back
launch-step-not-verified = not verified
launch-step-not-passed = not passed
launch-step-read = every byte read; not simulated
launch-step-rehearsed = every byte read, and simulated on the chain
launch-step-called = every byte read, and called on the chain
launch-step-logo-gone = Your logo is no longer stored. Send it again: /launch.
launch-being-built = Already being built – the message above shows the progress.
launch-unanswered = Some questions are still open. /launch continues where you are.
launch-changed-since = Your answers changed since you confirmed. /launch shows them; confirm once more.
launch-no-longer-built = This launch is no longer being built. /launches shows it; /launch starts a new one.
launch-rebuild-waits = Its transaction can still be signed. Cancel that launch first, or you could launch twice: see /launches.
launch-rebuild-other-open = You have another draft open. Finish it with /launch or discard it with /cancel, then build this one again.
launch-earlier-unseen = I can’t tell whether the earlier transaction launched the token.
launch-earlier-stands = There’s already a contract at the token’s address, but I haven’t found its launch yet. I won’t build anything else for now, or you could launch twice. Check /launches in a few minutes.
launch-earlier-pending = A transaction for it is on its way: { $hash }. Wait for it, then check /launches.
# `$reason` is one of the checks' reasons, or the next message.
launch-refused = The transaction wouldn’t do what it should, so I won’t give it to you: { $reason }.
launch-refused-listed = the data provider already lists a token at { $token }
launch-mismatch = The transaction doesn’t say what it should, so I won’t give it to you. Tell the operator.
launch-mismatch-values = expected { $expected }, found { $found }
launch-template-fault = The template is at fault: tell the operator.
launch-template-fault-choose = The template is at fault: choose another one, or tell the operator.
launch-unverified-advice = Continue only if you agree with everything below and trust whoever runs the template. It stays marked “Not verified”.
launch-failed-bot = That’s a bug in the bot, not your mistake. Try again in a moment, or tell the operator.
launch-api-unauthorised = The data provider doesn’t accept this bot’s key. The operator has to fix that.
launch-api-forbidden = The data provider refuses this request. The operator has to look into it.
launch-api-blocked = A firewall in front of the data provider is blocking this bot. It’s nothing you did. Try again in a moment.
launch-api-not-found = The data provider doesn’t know this template. The operator has to look into it.
launch-api-invalid = The data provider doesn’t accept these answers. Change them, or ask the operator.
# `$words` are the API’s own.
launch-api-invalid-words = The data provider doesn’t accept these answers: “{ $words }”. Change them, or ask the operator.
launch-api-busy = The data provider is busy. Try again in a minute.
launch-api-unavailable = The data provider isn’t responding. Try again in a moment.
launch-api-malformed = The data provider sent something unusable. Try again in a moment.
launch-ipfs-unavailable = Your logo couldn’t be uploaded: the IPFS service isn’t responding. Try again in a moment.
launch-ipfs-other = The IPFS service stored something other than your logo, so I stopped here. The operator has to look into it.
launch-ipfs-refused = The IPFS service refuses your logo. The operator has to look into it.
launch-node-unavailable = The chain’s node isn’t responding, so nothing could be simulated. Try again in a moment.
launch-node-malformed = The chain’s node sent something unusable. Try again in a moment.
launch-node-wrong-chain = The bot’s node is on another chain. The operator has to check RPC_URLS.
# Buttons.
launch-change-answer = Change an answer
launch-change-vesting = Change vesting
launch-change-fees = Change fee split
launch-change-template = Change template
launch-build-again = Build again
launch-build-anyway = Build again anyway
launch-unverified = Continue unverified
launch-my-launches = My launches

# A launch that waits for its signature. `$token` is a name and a symbol, such as Moon Otter $OTTER.
launch-ready = Ready to sign: { $token }
launch-not-verified = Not verified: { $token }
launch-not-verified-advice = Sign it only if you trust whoever runs the template.
launch-reported = A transaction was reported for it: { $hash }. I can’t see that it launched the token; check it in your wallet or an explorer first.
launch-reported-late = A transaction was reported for it after the link had expired: { $hash }. I can’t see that it launched the token; check it in your wallet or an explorer first.
launch-no-page = This bot has no signing page. Load { $safe } in Safe → Transaction Builder, or paste the calldata from { $file } into a wallet that takes it.
launch-link-none = There’s no link yet. Press New link to get one.
launch-link-expired = The link has expired. Press New link to get another.
launch-link-ends = The link expires { $end }.
launch-link-ends-with-payload = The link expires { $end }: after that this transaction can’t launch the token any more.
launch-link-shown-once = I show it only once; New link replaces it.
launch-link-is-new = This is a new link. The previous one no longer works.
launch-notified-privately = I’ll DM you when it’s live – make sure your DMs are open.
# `$host` is such as sign.example.com.
launch-sign-only-on = Sign on { $host } and nowhere else.
launch-never-asks = This bot never asks for a private key, a seed phrase or an approval: a DM that does is a scam.
launch-not-yours = You have no such launch. /launches shows yours.

# Buttons.
launch-sign = Sign with your wallet
launch-new-link = New link
launch-raw = Transaction data
launch-revoke = Cancel this launch…
launch-show = Show the launch

launch-revoke-title = Cancel the launch of { $token }?
launch-revoke-about = The link stops working at once. Anyone who has the transaction’s file, or the signing page open in a wallet, can still sign it: nothing can take that back. I keep watching for a week and tell you if it’s launched after all.
launch-revoke-yes = Cancel this launch
launch-revoke-no = Keep it
launch-revoked = Cancelled: { $token }
launch-revoked-link = The link no longer works.
launch-expired = Expired: { $token }
launch-expired-unsigned = Nobody signed it in time.
launch-expired-reported = It can’t be signed any more.
launch-ended-about = Anyone who has the transaction’s file can still sign it; I keep watching for a week. Build again makes a new transaction, for a new token at another address.
launch-unseen = Already launched? { $token }
launch-unseen-about = If that transaction goes through, the token is live, and building again would launch a second one.
launch-unseen-unchecked = I couldn’t check: this bot can’t see that chain.
launch-unseen-until = The chain doesn’t know it, but it may still be on its way: wait until { $until } before you build again.

launch-raw-title = Transaction data: { $token }
launch-raw-to = To
launch-raw-value = Value
launch-raw-digest = Calldata digest
launch-raw-about = The first file has the transaction, its digest and everything it says. The second is for Safe’s Transaction Builder. Whoever signs it launches the token, so keep both to yourself. I watch the chain and tell you when it’s live.

# Somebody opened the link with another wallet than the one that was named.
launch-signer = Another wallet wants to sign { $token }
launch-signer-named = You named
launch-signer-is = It is
launch-signer-about = Whoever signs pays the gas; all shares stay as you set them. If this isn’t you, refuse, and cancel the launch.
launch-signer-waits = Another wallet wants to sign: { $account }
launch-signer-allow = Allow
launch-signer-refuse = Refuse
launch-signer-allow-account = Allow { $account }
launch-signer-refuse-account = Refuse { $account }
launch-signer-allowed = Allowed to sign { $token }
launch-signer-allowed-about = You can go on at the signing page.
launch-signer-allowed-late = The link has expired, so nothing can be signed with it any more. A new link works for this wallet, too.
launch-signer-refused = Not allowed to sign { $token }
launch-signer-refused-about = The signing page stops there. If you didn’t give the link to anyone, cancel the launch.

# What became of it.
launch-launched = 🚀 Launched: { $token }
launch-launched-late = Someone signed the transaction after this launch had ended.
launch-not-listed-yet = Its card works once the data provider lists the token.
launch-fees = 💰 Fees to claim: { $fees }
launch-fees-none = 💰 Fees to claim: none right now
launch-fees-claim = Claim on the explorer
launch-fees-how = connect { $account } there and call collectFees with
launch-pool = Pool
launch-transaction = Transaction
launch-follow-own = 🔔 Follow your auction
launch-share-on = 📤 { $place }
launch-announce = 📣 Announce in…
launch-announce-command = Announce a launch in a chat or channel
launch-announce-launch = The launch
launch-announce-title = Announce { $token }
launch-announce-about = Where? I’ll post its card there once you confirm.
launch-announce-none = I don’t know yet of any chat or channel that you manage and I’m in.
launch-announce-elsewhere = Not listed? Send { $command } in a channel you manage: you can announce it there.
launch-announce-other = Another chat…
launch-announce-pick = Choose a channel or group that you manage.
launch-announce-in = Announce { $token } in { $chat }?
launch-announce-what = I’ll post its card there, with its buttons.
launch-announce-yes = 📣 Announce
launch-announce-no = ◀ Other chats
launch-announced-in = 📣 Announced in { $chat }: { $token }
launch-announce-again = Announce elsewhere
launch-announce-uncertain = I can’t tell whether my message got there. Look there before you try again.
launch-again = Launch again with these settings
launch-again-about = This launch reuses the settings of your last one, except name, symbol, description and logo. You can change them at the review.
launch-reverted = Not launched: { $token }
launch-reverted-about = The transaction failed on { $chain }. Nothing was launched, and only its gas was spent. Try once more; if it fails again, cancel this launch and build it again.
launch-silence = Your link has expired: { $token }
launch-silence-reported = A transaction was reported, but I can’t see what became of it. Check it in your wallet or an explorer: if it went through, you’re done.
launch-silence-unsigned = As far as I can see, nothing was signed.
launch-silence-link = A new link opens the same transaction for another hour.
launch-draft-expired = Your draft expired: { $token }
launch-draft-expired-about = You hadn’t touched it for a week. Nothing was launched. /launch starts a new one.

# /launches: a line for each, and its button: what it does, and the token’s symbol.
launch-list = Your launches
launch-list-empty = You have none yet. /launch starts one.
launch-list-next = Tap one to continue.
launch-list-open = { $step }: { $token }
launch-list-draft = 📝 draft, last changed { $since }
launch-list-launched = 🚀 launched
# How an auction stands: “🟢 Live · raised 3 ETH, 2 ETH short of the minimum · ends in 5 hours”.
launch-sale-raised = raised { $raised }
launch-sale-missing = raised { $raised }, { $missing } short of the minimum
launch-sale-reached = raised { $raised }, minimum reached
launch-sale-starts = starts { $relative }
launch-sale-ends = ends { $relative }
launch-sale-ended = ended { $relative }
launch-list-uploaded = ✅ metadata uploaded
launch-list-ended = ⌛ expired, last changed { $since }
launch-list-waits = ✍️ waiting for your signature
launch-list-waits-link = ✍️ waiting for your signature, link expires { $end }
launch-list-reported = ✍️ a transaction was reported
launch-list-reported-link = ✍️ a transaction was reported, link expires { $end }
launch-list-revoked = ⛔ cancelled
launch-list-revoked-reported = ⛔ cancelled, but a transaction was reported
launch-list-expired = ⌛ not signed in time
launch-list-expired-reported = ⌛ ended, but a transaction was reported
launch-list-resume = Continue
launch-list-show = Open
launch-list-begin = Start a new one
launch-list-sign = Sign or cancel

## Launch: what a payload says, and whether it is verified

# A table says what the launch will do. A row of it has a label (“Supply”) and a value (“1,000,000,000 tokens”): a phrase without
# a full stop. { $account } is an address, or one of the phrases below, such as “you”.
terms-first = Look at this first
terms-group-supply = Tokens
terms-group-price = Price
terms-group-fees = Fees
terms-group-raised = After the sale
terms-group-control = Control
terms-group-cost = Cost
terms-alarm = ⚠️ { $label }
verify-asked = { $does }. You asked for: { $asked }
terms-sentences = { $first }. { $second }
terms-share = { $share } to { $account }
terms-percent = { $number }%
terms-more = { $count } more
terms-none = none
# In a review, in the place of what only the built transaction says. Confirm is the button’s label.
terms-later = shown after Confirm
terms-tokens =
    { $count ->
        [one] { $amount } token
       *[other] { $amount } tokens
    }
# For example “50,000,000 tokens (5%)”.
terms-tokens-share = { $tokens } ({ $share })

terms-you = you
terms-nobody = nobody (burned)
terms-burned = burned tokens
terms-dao = the token’s DAO
terms-contract = the launch contract
terms-integrator = the integrator
terms-integrator-account = the integrator { $account }
terms-protocol = the protocol
terms-protocol-account = the protocol { $account }

terms-days =
    { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
terms-about-days =
    { $count ->
        [one] about { $count } day
       *[other] about { $count } days
    }
terms-hours =
    { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
terms-minutes =
    { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
terms-seconds =
    { $count ->
        [one] { $count } second
       *[other] { $count } seconds
    }
terms-blocks =
    { $count ->
        [one] { $count } block
       *[other] { $count } blocks
    }
terms-thousands-of-years = thousands of years
terms-far-future = far in the future
# A moment, in the place of a date.
terms-at-launch = at launch
terms-after-build = { $time } after you confirm

# ✓ stands behind a row that is as asked.
terms-mark-same = ✓
terms-mark-same-simulated = ✓ simulated
terms-mark-simulated = · simulated
terms-marks = ✓ means: as you asked.
terms-marks-simulated = ✓ means: as you asked. Simulated: a test run on the chain showed the same.
# `$marks` is one of the two above.
terms-marks-none = { $marks } No mark: the template promises nothing here.

terms-supply = Supply
# Each collectible (NFT) stands for { $unit } tokens.
terms-supply-collectibles = { $tokens }, one collectible per { $unit }
terms-sale = For sale
terms-sale-share = { $share } of the supply
terms-sale-tokens = { $tokens } ({ $share } of the supply)
terms-sale-named = The launch names { $share }, but the pool takes no more than this
terms-vesting = Vesting
terms-vesting-none = none
# { $what }: tokens or a percentage of the supply.
terms-vesting-line = { $what } to { $account }
terms-vesting-at-once = { $what } to { $account } at once
terms-vesting-over = { $what } to { $account } over { $time }
terms-vesting-cliff = { $what } to { $account } over { $time } (nothing in the first { $cliff })
terms-rest = Rest of the supply
terms-rest-none = nothing is left
terms-rest-tokens = { $tokens } ({ $share }) to { $account }
terms-minting = New tokens each year
terms-minting-never = { $share } is set, but it only starts at graduation, and this token never graduates
terms-minting-later = up to { $share } of the supply after graduation, to { $account }

terms-quote = Quote token
terms-quote-unknown = { $symbol } { $account }
terms-quote-launched = { $symbol }, a token that was launched with this service ({ $account })
terms-opening = Starting price
# { $cap }: “market cap 2.5 ETH (about $10K)”.
terms-opening-at = { $price } { $quote } per token, { $cap }
terms-opening-buys = At the start 1 { $quote } buys { $amount } tokens
terms-cap = market cap { $cap } { $quote }
terms-cap-dollars = market cap { $cap } { $quote } (about { $dollars })
terms-cap-range = market cap between { $lowest } and { $highest } { $quote }
terms-curve = Price later
terms-curve-rises = rises as people buy, up to { $price } { $quote } per token, { $cap }
terms-curve-falls = falls while nobody buys, down to { $price } { $quote } per token, { $cap }
# { $drawing }: a curve made of ▁▂▃▄▅▆▇█.
terms-curve-drawn = { $drawing } { $curve }
terms-curve-cost = Buying everything for sale costs { $cost } { $quote }
terms-curve-open = { $share } of it is sold below { $price } { $quote } per token, { $cap }; no upper limit
terms-curve-open-cost = Buying that much costs { $cost } { $quote }
terms-curve-unlimited = rises as people buy; no upper limit
terms-shape = Curve details
terms-raise = To be raised
terms-raise-any = any amount, no minimum. Ends early at { $max } { $quote }
terms-raise-between = at least { $min } { $quote }: with less it doesn’t graduate, and buyers can only sell back. Ends early at { $max } { $quote }
terms-trading = Trading
terms-trading-now = starts at launch, no end
terms-trading-from = starts { $start }, no end
terms-trading-for = starts { $start }, for { $time } at most
terms-trading-until = starts { $start }, for { $time } at most, until { $end }
terms-proceeds = Money raised
terms-proceeds-stuck = stays in the auction for ever: this token can’t graduate, and trading stops when the auction ends
terms-proceeds-locked = stays in the pool as liquidity for ever; this token doesn’t graduate
terms-proceeds-all = at graduation ({ $when }) all of it becomes liquidity on { $pool }
terms-proceeds-split = at graduation ({ $when }) { $share }, the rest becomes liquidity on { $pool }
terms-proceeds-fail = But this fails: once everything is sold, no tokens are left for the new pool, so it can never graduate
terms-graduates-at-end = when the auction has ended
terms-graduates-at-price = when the price reaches { $price } { $quote }
terms-liquidity = Liquidity after graduation
terms-liquidity-locked = { $share } locked for ever
terms-liquidity-locked-for = { $share } locked for { $time }, then to { $account }

terms-trading-fee = Trading fee
terms-fee-fixed = { $share } of each trade
terms-fee-falls = { $share } of each trade at first, falling to { $last } within { $time }
terms-fee-falls-from = { $share } of each trade at first, falling to { $last } within { $time } from { $start }
terms-fee-snipers = { $share } in the first second, { $last } after { $seconds } s (against snipers)
terms-hook-fee = Hook fee
# A hook is a contract that takes a fee of its own from each trade. { $tokens } and { $taken } are lists such as
# “50% buys tokens for 0x12… and 50% to the hook’s beneficiaries”.
terms-hook-takes = { $fee }, on top of the trading fee. 5% of it goes to the protocol. The rest, if paid in tokens: { $tokens }; if paid in { $quote }: { $taken }
terms-hook-part = { $share } { $use }
terms-hook-to = to { $account }
terms-hook-swapped = swapped to { $quote } for { $account }
terms-hook-buys = buys tokens for { $account }
terms-hook-liquidity = into the pool’s liquidity
terms-hook-beneficiaries = the hook’s beneficiaries
terms-hook-payees = The hook’s beneficiaries: { $payees }
terms-hook-payees-rest = What can’t be used that way goes to: { $payees }
terms-hook-changed-by = Its use can be changed by { $account }
terms-shares = Trading fees go
terms-shares-of-nothing = to nobody: the trading fee is 0% (set in the contract: { $shares })
terms-shares-none = not to you. After graduation 80–95% go to the integrator and 5–20% to the protocol
terms-shares-without-you = not to you: { $shares }
terms-integrator-label = Integrator (the app you launch with)
terms-later-fee = Fee after graduation
terms-later-fee-fixed = { $share } of each trade, tick spacing { $spacing }
terms-later-fee-dynamic = { $share } of each trade at first (a hook may change it), tick spacing { $spacing }
terms-later-hook = Hook fee after graduation
terms-later-shares = Fees after graduation go

terms-limit = Limit per wallet
terms-limit-over = at most { $tokens }, but the limit has ended already
terms-limit-fixed = at most { $tokens } until { $end }; nobody can lift it earlier
terms-limit-lifted = at most { $tokens } until { $end }; { $account } can lift it earlier
terms-limit-excluded = Not for vesting, and not for { $accounts }
terms-governance = Governance
terms-governance-flag = none (with a flag that no contract reads: { $flag })
terms-governance-nobody = nobody can decide anything
terms-governance-you = you decide alone
terms-governance-account = { $account } decides alone
terms-governance-dao = a DAO, in which token holders vote
terms-governance-named = a DAO, “{ $name }”, in which token holders vote
terms-governance-votes = 8% of the supply must take part. { $proposers }, from 90 days after launch. A vote starts { $delay } later, lasts { $period }, and takes effect a day after
terms-governance-anybody = Anybody may propose
terms-governance-holders = Holders of { $tokens } may propose
terms-owner = Token owner
terms-owner-contract = the launch contract for ever: nobody can change name, metadata or rules
terms-owner-nobody = the launch contract, and nobody after graduation
terms-owner-account = the launch contract; after graduation { $account }, who can change metadata and how many tokens are minted
terms-owner-hooks = Governance can attach another hook, which can take a fee from each trade
terms-contracts = Contracts
terms-idle = Set, but without effect
terms-binding = Who may launch
terms-binding-only = only { $account }, until { $end }, as token { $token }, with the operator’s signature of { $hash }
terms-metadata = Metadata on IPFS
terms-metadata-same = checked, as you typed it
terms-metadata-links = checked, as you typed it. It also has links that you did not give, in { $fields }: other apps may show those
terms-metadata-unchecked = not checked: { $why }
terms-metadata-field = { $name }: { $found } (you typed { $typed })
terms-picture = Logo on IPFS
terms-picture-unread = uploaded; not read back, so nobody checked that it is yours

terms-gas = Network fee (gas)
terms-gas-units = about { $gas } gas, paid by your wallet
terms-gas-fee = about { $fee } { $coin }, paid by your wallet
terms-gas-dollars = about { $fee } { $coin } ({ $dollars }), paid by your wallet
terms-gas-over = It needs more gas than one transaction may use (16.78M): the chain will refuse it

# Rows that only the simulation shows.
terms-simulation = In the simulation
terms-taken = it takes more from your wallet than the network fee
terms-stranger = Also gets tokens
terms-stranger-gets = { $account }: { $tokens }

# Below the table in the chat.
terms-chain = Chain
verify-chain-named = { $chain } ({ $id })
verify-chain-testnet = { $chain } ({ $id }), TESTNET
terms-token = Token address
terms-token-unknown = not known before the launch
terms-contract-called = Contract
verify-forwards = Forwards to
terms-digest = Calldata digest
# { $fields }: names of technical values, such as “salt”.
verify-not-compared = Not compared, because the data provider did not repeat them: { $fields }.
verify-not-simulated = Not simulated: { $why }.
verify-would-pass = The chain would accept it now.
verify-bot-takes-nothing = This bot takes nothing.

# Why a launch is not verified: phrases, joined by semicolons behind “Not verified:”.
terms-not-verified = Not verified:
verify-doubts = { $doubts }.
# Two reasons, one behind the other.
verify-doubt-and = { $first }; { $next }
terms-why-unchecked = it was not checked
terms-why-unsendable = no known contract on { $chain } has { $entry }
terms-why-unpriced = its prices are unknown, because nothing says how many decimals its quote token has
terms-why-template = the template changed
terms-quoted = “{ $label }”
terms-why-template-rows = the template changed since the operator wrote down what it does: { $rows }
terms-why-different = “{ $row }” is not what you asked for
terms-why-metadata = the metadata on IPFS is not what you typed: { $names }
terms-why-simulation-row = the simulation shows something else for “{ $row }”
terms-why-taken = in the simulation it takes money from your wallet that the transaction does not send
terms-why-stranger = in the simulation an account gets tokens that the launch does not name
terms-why-quote = buyers pay with a token that this bot does not know
terms-why-cap-dollar = the market cap at the start is less than a dollar
terms-why-cap-thousandth = the market cap at the start is less than a thousandth of a quote token
terms-why-cost-dollar = everything for sale costs less than a dollar
terms-why-cost-thousandth = everything for sale costs less than a thousandth of a quote token
terms-why-flat = the price hardly rises, no matter how many buy
terms-why-purchase = it also buys tokens in the same transaction: the price, the amount and the recipient are not read, and no coins are sent with it
terms-why-stuck = what is raised can never leave the auction
terms-why-never-graduates = it can never graduate
terms-why-split = part of the money raised goes to an account that nobody named
terms-why-liquidity = the liquidity goes to an account that nobody named
terms-why-vesting = vesting takes more than four years
terms-why-rest = part of the supply goes to an account that nobody named
terms-why-minting = new tokens can be minted later
terms-why-minting-never = minting is set, but never starts
terms-why-limit-account = an account that nobody named controls the limit per wallet
terms-why-limit-low = a wallet may not hold even a thousandth of the supply
terms-why-limit-long = the limit per wallet lasts more than a year
terms-why-governance = an account that nobody named decides alone
terms-why-vote = votes are so short that hardly anybody can take part
terms-why-binding = only another account may launch it
terms-why-fee = the trading fee is above 5%
terms-why-fees-together = the fees of pool and hook together are above 5%
terms-why-later-fee = the fee after graduation is above 5%
terms-why-hook-fee = the hook’s fee is above 5%
terms-why-hook-payees = an account that nobody named gets what the hook takes
terms-why-hook-buyback = an account that nobody named can take what the hook takes
terms-why-shares = an account that nobody named gets fees
terms-why-integrator = an account that nobody named gets most of the fees

# The steps while a launch is built.
verify-step-done = done
verify-step-running = in progress…
verify-step-to-come = next
verify-step-failed = failed
verify-building = Building { $token }
verify-building-hint = If nothing here changes for a minute, send { $command } and confirm again: nothing is done twice.
verify-built = Built: { $token }
verify-not-built = Not built yet: { $token }
verify-uploaded = Uploaded: { $token }
verify-uploaded-uri = This is the token URI. Nothing was launched.
verify-too-many-active = You have { $count } launches waiting for a signature, which is the maximum. Cancel one of them in /launches, then continue here.

## Launch: why one is refused, or could not be checked

# Each follows a colon: a phrase without a full stop. What only whoever wrote the template can mend ({ $detail }) is in English.
refused-by-contract = the launch contract refuses it: { $why }
refused-template = its template is at fault (“{ $detail }”)
refused-vesting-one = vesting of { $amount } to one person is more than the { $limit } that the contract allows
refused-vesting-all = vesting of { $amount } in all is more than the { $limit } that the contract allows
refused-vesting-rest = vesting of { $amount } in all leaves nothing of the supply to sell
refused-vesting-sale = vesting and sale together are more than the supply
refused-vesting-length = vesting has to last at least a day, and as long as its cliff
refused-vesting-none = a vesting entry has no amount or no recipient
refused-fees-no-protocol = the protocol’s own share of the fees is missing
refused-fees-protocol = the protocol’s share of the fees, { $given }, is less than the { $minimum } that the contract asks for
refused-fees-protocol-low = the protocol’s share of the fees is less than the contract asks for
refused-fees-sum = the shares of the fees, or those of its curves, do not sum to 100%
refused-fees-order = somebody gets a share of the fees twice, or the shares are not in the order of their addresses
refused-fees-none = somebody’s share of the fees is zero
refused-limit-ends = the limit on balances ends before it begins
refused-start-passed = the start of its sale has passed
refused-sale-ends = its sale ends before it begins
refused-not-started = nobody can trade before the sale starts
refused-pool-exists = its pool already exists: it may have been launched
refused-deployed = its token can’t be deployed: it may have been launched already
refused-ticker-reserved = its symbol is reserved: another token was launched with it within the last 24 hours
refused-ticker-letters = its symbol may only have the letters A–Z
refused-ticker-length = its symbol has to have 1 to 15 letters
refused-paused = the people who run the launch contract have paused it
# { $error }: its number or code.
refused-unknown = an error that is not known here, { $error }
refused-fault = an error in the contract, { $error }
refused-by-hook = its hook refuses without saying why
refused-silent = it does not say why: most likely the pool data can’t be decoded, and the template is broken
# What the contract says.
refused-saying = “{ $text }”
refused-malformed = in the simulation it does something no launch does (“{ $detail }”)
refused-other-token = it would create the token { $found }, not { $expected }
refused-no-launcher = there is no launch contract at { $account }
# { $kind }: a kind of contract, in English, such as “pool initializer”.
refused-module = the launch contract does not know { $account } as a { $kind }
refused-exists = there is already a contract at { $token }
verify-called-lacks = The node has no eth_simulateV1: the launch was called, but I couldn’t see who gets what.
verify-called-fails = eth_simulateV1 fails on the node: the launch was called, but I couldn’t see who gets what.
verify-late-launcher = its launcher accepts it for too short a time for anybody to sign it: build it again
verify-late-start = its sale starts before anybody can sign it: the operator should ask for a later start of this template
verify-no-node = no node is set up for this chain, so only the calldata was checked
verify-unreadable = its calldata is not a call that this bot can read
metadata-no-reader = this bot has no way to read IPFS
metadata-no-cid = { $uri } names no file on IPFS
metadata-late = IPFS did not return it in time
metadata-large = IPFS returned more than { $size } KiB
metadata-refused = IPFS didn’t return it
metadata-other-bytes = IPFS returned bytes that don’t match the CID
metadata-no-file = the CID does not name a file
# What differs, and what is there instead.
metadata-all = all of it
metadata-typed = the token’s metadata
metadata-name = name
metadata-description = description
metadata-picture = picture
metadata-links = links
metadata-vesting = vesting
metadata-fee-receiver = fee receiver
metadata-categories = categories
metadata-nothing = nothing
metadata-missing = missing
metadata-not-text = bytes that aren’t text
metadata-not-object = not a JSON object: { $text }
metadata-deep = JSON that is nested too deeply
metadata-twice = JSON with a duplicate field

## The signing page

sign-title = Sign a launch · Gavel
sign-never = This page never asks for an approval, a private key or a seed phrase. Anyone who asks for it is a scammer.
sign-needs-javascript = This page needs JavaScript to talk to your wallet. Without it, ask for the transaction data in the chat.
sign-value = Value: { $amount }.
sign-coins = { $amount } { $coin }
# { $time }: minutes and seconds, as “12:05”.
sign-expires = Link expires in { $time }
sign-expires-hours = Link expires in { $hours } h { $minutes } min
# Links from the line at the top of a phone’s screen to the next step.
sign-way-sign = Go to signing ↓
sign-way-help = See what to do ↓
sign-way-more = See more ↓
sign-way-transaction = See the transaction ↓
sign-no-wallet-here = No wallet here

# The button back to the chat on “Telegram” or “Discord”.
sign-to-chat = Back to { $platform }
sign-token-testnet = Token launch on { $chain } · TESTNET
sign-token-on = Token launch on { $chain }
sign-picture = Token logo
sign-invisible = The name or ticker has invisible characters, which are left out here.
sign-if-you-know = Sign only if you know what this does.
sign-if-you-know-unread = Sign only if you know what this does: name and ticker are only what was typed in the chat.
# Behind what the ✓ means.
sign-passes = The chain would accept it now.
sign-fails = The chain would not accept it now.
sign-not-simulated = Not simulated on the chain.
sign-simulated-before-fails = That was when it was built; the chain would not accept it now.
sign-simulated-before = That was when it was built; it could not be simulated again now.
sign-does = What it does
sign-asked = What you asked for
sign-who = Who and where
sign-you = “you” in this table
sign-wallet = Wallet
sign-chain-named = { $chain } (chain ID { $id })
sign-simulation = Simulation
sign-simulation-failed = failed: { $why }
sign-whole = Full digest and calldata
sign-compare = The chat shows the same characters of the digest. Compare them.
sign-metadata = Metadata
sign-calldata = Calldata ({ $bytes } bytes)

sign-loading = Loading…
sign-again = Try again
sign-no-link = No such link
sign-no-answer = No answer

sign-blocked = Do not sign this
sign-blocked-why = The transaction, as this page reads it, doesn’t match what the bot said:
sign-blocked-next = Signing is blocked. Go back to the chat, send /launches and cancel this launch.
sign-fault = { $what }: the transaction has “{ $here }”, the bot said “{ $stated }”.
sign-fault-value = Value
sign-fault-name = Name
sign-fault-symbol = Ticker
sign-fault-verified = The bot said that it is verified, but { $doubt }.
sign-doubt-said = the bot said so in the chat
sign-failing = It would fail now
sign-failing-why = The simulation failed: { $why }
sign-no-reason = no reason was given.
sign-sentence = { $text }.
sign-failing-blocked = Signing is blocked, as you would pay the network fee for nothing.
sign-failing-next = If it keeps failing, go back to the chat, send /launches and build it again.
sign-check = Check again
sign-checking = Checking…

sign-nowhere = No wallet in this browser
sign-nowhere-next = Open this page where your wallet is. The link stays the same.
sign-connect-title = Connect your wallet
sign-connect-safe = Connecting only shows this page your address.
sign-elsewhere = Sign somewhere else
sign-in-wallet = Confirm in your wallet
sign-in-wallet-busy = Confirm in your wallet…
sign-disconnected = Wallet not connected
sign-disconnected-why = Your wallet will ask if this page may see your address. That allows nothing else.
sign-connect = Connect
sign-no-window = No window? Open your wallet yourself. To choose another wallet, reload this page.
sign-other-wallet = Use another wallet
sign-switch-account = Switch account

sign-wrong-account = Wrong wallet connected
sign-wrong-account-why = This launch was prepared for { $expected }. You connected { $connected }. Token and terms stay the same if you switch.
sign-prepared-for = Prepared for
sign-connected = Connected
sign-ask = Ask for permission
sign-ask-about = The creator is then asked, in the private chat with the bot, if this wallet may sign.
sign-asking = Asking…
sign-asked-title = Waiting for the creator
sign-asked-about = The creator was asked, in the private chat with the bot, if this wallet may sign.
sign-asked-quietly = Too many wallets have asked already, so the bot sends no message about this one. Tell the creator to send /launches in the private chat with the bot: this wallet can be allowed there.
sign-asked-by-itself = This page continues by itself.
sign-asked-looking = Waiting for the answer…
sign-refused = The creator said no
sign-refused-about = This wallet can’t sign. Switch to the one that the launch was prepared for.
sign-ask-again = Ask again
sign-ask-again-about = If that was a mistake, the creator can be asked once more.
sign-ask-no-more = The creator has been asked about this wallet several times and won’t be asked again.
sign-switch-chain = Switch to { $chain }
sign-switch-chain-about = Your wallet is on another chain. This launch is on { $chain }.

sign-ready = Ready to sign
sign-not-verified = Not verified
sign-ready-about = Compare the digest with the one in the chat, then sign. Your wallet shows the transaction once more.
sign-signs-with = Signs with { $wallet }
sign-a-wallet = your wallet
sign-and-launch = Sign and launch
sign-no-window-signing = No window? Open your wallet yourself: the request waits there. To start again, reload this page.
sign-cost = You pay the network fee. The transaction sends no coins.
sign-cost-verified = You pay the network fee. The transaction sends no coins and approves nothing.

sign-pending = Sent – waiting for confirmation
sign-pending-about = You can leave this page. The bot tells you in the chat when your token is live.
sign-missing = Transaction not found
sign-missing-about = It may have been dropped, or replaced in your wallet (sped up or cancelled). A wallet with several signers, such as Safe, may still be collecting signatures.
sign-look = Look again
sign-send-again = Send again
sign-send-again-safe = Sending again can’t launch the token twice: the second transaction would fail.
sign-send-again-unsafe = This is not verified: sending again may repeat what it does. Check your wallet first.
sign-reverted = The transaction failed
sign-reverted-about = It cost the network fee and launched nothing. The launch may be out of date: go back to the chat, send /launches and build it again.
sign-empty = It launched nothing
sign-empty-about = The transaction went through, but it did not create this token. Check it in your wallet, and send /launches in the chat.
sign-transaction = Transaction
sign-see-transaction = View transaction
sign-launched = Launched
sign-launched-about = Your token is live. The bot shows its card in the chat.
sign-see-token = View token
sign-replaced = This link was replaced or cancelled
sign-replaced-about = It can’t be used for signing any more. The last message in the chat has the new link, and so has /launches.
sign-expired = This link has expired
sign-expired-about = Links only work for a short time. Go back to the chat and send /launches: it shows your launch and gives you a new link.
sign-revoked = This launch was cancelled
sign-revoked-about = This link can’t be used for signing any more. Go back to the chat and send /launches: it shows your launch and what you can do.
sign-sent-before = What you sent before stays sent. The bot watches it and tells you in the chat.

sign-open-in = Open in { $wallet }
sign-phone = With a wallet on your phone
sign-phone-about = On your phone, these open this page in the wallet’s own browser.
sign-device = On another device
sign-device-about = Scan this code there, or copy the link into the browser that has your wallet.
sign-qr = QR code of the link to this page
sign-copy = Copy link
sign-copied = Copied. Anyone with this link can see your launch: don’t share it.
sign-not-copied = Your browser did not allow copying. Copy the link from here:
sign-link = The link to this page
sign-without = Without this page
sign-without-about = Go back to the chat and press “Transaction data”: you get a file with the transaction, and one for Safe.
sign-unnamed-wallet = Unnamed wallet
sign-browser-wallet = Browser wallet

# Messages after something went wrong. { $next } says which button to press again.
sign-next-connect = Press Connect again when you are ready.
sign-next-account = You can also switch the account in your wallet.
sign-next-chain = You can also switch the chain in your wallet.
sign-next-button = Press the button again.
sign-next-check = Press Check again.
sign-next-sign = Press Sign and launch again when you are ready.
sign-page-fault = Something went wrong on this page. Reload it. { $next }
sign-link-fault = { $fault } { $next }
sign-link-unknown = This signing link doesn’t exist: it may have been replaced or cancelled. Go back to the chat and send /launches for a new one.
sign-link-busy = Too many requests. Wait a minute.
sign-link-unreachable = The bot could not be reached, and nothing was sent. Check your connection.
sign-unreachable = The bot can’t be reached right now. This page keeps trying.
sign-unreachable-sent = The bot can’t be reached right now. Your transaction is on its way all the same.
sign-other-tab = Another tab is waiting for your wallet. Answer there, or close that tab, then press Sign and launch again.
sign-sent-elsewhere = Nothing was sent from here: another page with this link has sent it already.
sign-changed = Nothing was sent: something changed just before. See below.
sign-asked-too-soon = The creator was asked a moment ago. Ask again in { $seconds } s.
sign-wallet-refused = Request rejected in your wallet. Nothing was sent. { $next }
sign-wallet-pending = Your wallet is still waiting for an earlier answer. Open it, answer there, and come back. { $next }
sign-wallet-unauthorised = Your wallet no longer shows this page its address. Connect it again.
sign-wallet-chain = Your wallet doesn’t know { $chain }. Add it there by hand, under Networks: chain ID { $id }, coin { $coin }. Then switch to it in your wallet.
sign-wallet-chain-rpc = Your wallet doesn’t know { $chain }. Add it there by hand, under Networks: chain ID { $id }, coin { $coin }, RPC { $rpc }. Then switch to it in your wallet.
sign-wallet-funds = This wallet doesn’t have enough { $coin } on { $chain } for this transaction. Send some { $coin } to it first. { $next }
sign-wallet-disconnected = Your wallet has no connection. Check it, then come back. { $next }
sign-wallet-no-hash = Your wallet returned no transaction hash. Check its history first: it may have sent the transaction anyway.
sign-wallet-other = Your wallet didn’t do it and gave no reason. Check it. { $next }
sign-wallet-says = Your wallet didn’t do it. It says: “{ $reason }” { $next }

# What the routes behind the signing page answer to a person who opens one of them. Not part of the page.
signing-unknown = There is no such signing link. Go back to the chat and send /launches: it gives you a new link.
signing-expired = This link has expired. Go back to the chat and send /launches for a new one.
signing-revoked = This launch was cancelled. Go back to the chat and send /launches to see what can be done.
signing-many = Too many requests. Wait a minute and try again.
signing-failed = Something went wrong here. Wait a moment and try again.
