# Gavel на русском языке. Тексты, которых здесь нет, показываются на английском.
#
# Одно слово для одного понятия: auction – аукцион, upcoming – скоро, live – активен (событие: стартует), graduated – градуация,
# raised – собрано, quote token – токен котировки, alert – алерт, launch – запуск, draft – черновик, ticker – тикер,
# supply – эмиссия, vesting – вестинг, fees – комиссии, market cap – капитализация, creator – создатель, chain – сеть,
# daily summary – дневная сводка, data provider – поставщик данных, operator – оператор, approval – approve.
# Кто что получает, пишется со стрелкой («5% → вы»): так адрес или слово не нужно склонять.

## Commands and platforms

# До 120 символов.
profile-short = Находите, отслеживайте и запускайте токены с аукциона. Алерты для вас, вашей группы или канала.
# До 512 символов.
profile-description =
    Находите, отслеживайте и запускайте токены, которые продаются на аукционе.

    🔎 Отправьте название, $тикер или адрес контракта
    🔔 Алерты для вас, вашей группы или канала
    🚀 Запустите токен с подписью в своём кошельке

    Я никогда не попрошу вашу сид-фразу или приватный ключ.

command-needs = Для { $command } нужно: { $what }. Например: { $example }
command-option-refused = { $option } { $why }
command-no-values = Просто отправьте { $command } – остальное я спрошу.
command-value-twice = { $option } указано дважды: как «{ $typed }» и по имени. Укажите один раз.
command-option-twice = { $option } указано дважды. Укажите один раз.
command-option-empty = Укажите значение для { $option }
command-takes-no-options = У { $command } нет параметра «{ $option }»: параметров нет вообще. Чтобы передать текст как есть, возьмите его в "прямые кавычки".
command-option-unknown = У { $command } нет параметра «{ $option }». Есть { $options }. Чтобы передать текст как есть, возьмите его в "прямые кавычки".
command-option-misspelt = У { $command } нет параметра «{ $option }». Может быть, { $meant }? Есть { $options }. Чтобы передать текст как есть, возьмите его в "прямые кавычки".
command-unknown = Команды /{ $name } нет. Смотрите { $help }.
command-misspelt = Команды /{ $name } нет. Может быть, { $meant }? Смотрите { $help }.
command-text-empty = Напишите, что искать, например { $example }.
command-text-too-long = Слишком длинно: { $length } симв., максимум { $max }.
command-number-range = «{ $typed }» – не целое число от { $min } до { $max }.
command-choice-unknown = «{ $typed }» – неизвестное значение. Подойдёт { $choices }.
command-line-too-long = Слишком длинно. В команде может быть не больше { $max } символов.
command-answered = На это уже дан ответ.
flood-group = Здесь слишком много запросов сразу. Спросите меня в личке или подождите { $seconds } сек.
flood-person = Слишком много запросов сразу. Подождите { $seconds } сек и отправьте снова.
blocked-notice = Вы больше не можете пользоваться этим ботом: его оператор вас заблокировал. Других сообщений об этом не будет.
announcement-title = 📣 От оператора этого бота

view-shortened = Сокращено: всё сюда не помещается.
view-open-one = Открыть
private-invitation = Продолжим в личке, чтобы это видели только вы.
private-open = Открыть личный чат
linked-title = Вы этого хотите?
linked-what = Ссылка, которую вы открыли, что-то изменит. Она выполнит:
linked-ignore = Если вы этого не хотели, ничего не делайте.
linked-confirm = Выполнить
file-too-big = Файл слишком большой. Отправьте файл до { $limit }.
file-not-given = { $platform } не передал этот файл. Отправьте его ещё раз.
telegram-unchanged = Ничего не изменилось.
telegram-unchangeable = Это сообщение уже нельзя изменить.
telegram-picker = Выберите кнопками под полем ввода.
telegram-picked = Выбрано.
buttons-too-old = Эти кнопки устарели. Отправьте команду ещё раз.
form-too-old = Эта форма устарела. Отправьте команду ещё раз.
form-too-slow = Прошло слишком много времени. Нажмите кнопку ещё раз.
# До 64 символов.
telegram-inline-ask = Введите название, тикер или адрес
telegram-inline-none = Ничего не найдено. Посмотреть в чате
discord-form-too-long = Слишком длинно. Откройте форму снова и напишите короче.
settings-about = Язык и тихие часы
settings-title = Настройки
settings-title-chat = Настройки здесь
settings-language = Язык
settings-language-about = Язык моих ответов и алертов здесь
settings-language-auto = Автоматически
settings-language-hint = Автоматически – это ваш язык в Telegram или Discord. У алертов – язык того, кто их настроил.
settings-on = Вкл.
settings-off = Выкл.
settings-quiet = Тихие часы
settings-quiet-about = Часы, в которые алерты ждут, или off
settings-quiet-hours = { $hours } ({ $zone })
settings-quiet-off = 🌙 { settings-off }
settings-quiet-hint = В тихие часы алерты копятся и приходят вместе в конце, без того, что уже закончилось. Дневная сводка приходит в свой час. Свои часы: { $line }
settings-quiet-unreadable = «{ $typed }» – не промежуток часов. Напишите { $example } или { $off }.
settings-zone-about = Часовой пояс тихих часов
settings-cards = Карточки для адресов и $тикеров
settings-cards-about = Отвечать карточками на адреса и $тикеры в этой группе
settings-cards-hint = Карточка одного токена приходит не чаще раза в минуту. Я вижу сообщения группы, только если я администратор или мой режим приватности (privacy mode) выключен.
settings-cards-where = Это для групп в Telegram. Отправьте команду в группе.
settings-cards-turn-on = Включить карточки
settings-cards-turn-off = Выключить карточки
address-start = Адрес начинается с 0x, дальше 40 символов.
address-digits = После 0x в адресе только цифры 0–9 и буквы a–f.
address-length = После 0x в адресе 40 символов, а здесь { $length }. Скопируйте адрес целиком ещё раз.
address-checksum = Заглавные буквы этого адреса не сходятся с контрольной суммой – скорее всего, какой-то символ неверный. Скопируйте адрес ещё раз. Если вы в нём уверены, введите его строчными буквами.

# Names such as ada.eth instead of addresses. `$account` is an address of 42 characters.
# `$allowed` is what an address looks like, a sentence.
name-allowed = { $allowed } Или имя, например { $example }.
name-is = { $name } – это { $account }. Будет использован этот адрес, даже если имя потом изменится.
name-is-odd = { $name } – это { $account }. Будет использован этот адрес, даже если имя потом изменится. ⚠️ В имени не только латинские буквы a–z: проверьте адрес.
name-account = { $name } ({ $account })
name-no-node = Не могу найти { $name }: этот бот не подключён к { $chain }. Отправьте адрес (0x…).
name-unavailable = Сейчас не удалось найти { $name }. Попробуйте через минуту или отправьте адрес (0x…).
name-ending = Не могу найти { $name }: только имена, которые заканчиваются на .eth. Отправьте адрес (0x…).
name-invalid = { $name } – недопустимое имя и может подделываться под другое. Наберите его сами или отправьте адрес (0x…).
name-other-form = { $name } – имена так не пишутся. Если вы имеете в виду { $normal }, отправьте это имя или адрес (0x…).
name-unknown = Для { $name } адрес не найден. Проверьте написание или отправьте адрес (0x…).
name-offchain = { $name } хранится на сервере вне блокчейна, и проверить его нельзя. Отправьте адрес (0x…).
# `$from` and `$chain` are chains, such as Ethereum.
name-contract = { $name } – это контракт в { $from }, и в { $chain } его может не быть: отправленное туда может пропасть. Отправьте адрес для { $chain } (0x…).

## Assets: cards, lists, search, /start, /help

inline-worth = { $price } · Капитализация { $cap } · { $where }
inline-worth-price = { $price } · { $where }
inline-worth-cap = Капитализация { $cap } · { $where }
token-unnamed = Без названия
token-unnamed-with-symbol = Без названия { $symbol }
money-in-token = { $amount } { $symbol }

status-live = 🟢 Активен
status-upcoming = 🕒 Скоро
status-graduated = 🎓 Градуировал
status-failed = ⏸️ Завершён без градуации
status-ended = ⏹️ Завершён
status-fake = 🔴 Подделка
status-live-word = Активен
status-upcoming-word = Скоро
status-graduated-word = Градуировал
status-failed-word = Завершён без градуации
status-ended-word = Завершён
status-fake-word = Подделка
status-as-reported = { $status } ({ $reported })
chain-testnet = { $name } (ТЕСТНЕТ)
list-testnet = ТЕСТНЕТ
asset-where = { $chain } · { $status }

asset-price = Цена
asset-priced-in = Цена в { $symbol }
asset-market-cap = Капитализация
asset-liquidity = Ликвидность
asset-volume-24h = Объём (24 ч)
asset-raised = Собрано
asset-sold = Продано
asset-starts = Начнётся
asset-start = Начало
asset-ends = Закончится
asset-ended = Закончился
asset-created = Создан
asset-creator = Создатель
asset-fee-receiver = Комиссии получает
asset-vesting = Вестинг
asset-categories = Категории
field = { $label }: { $value }
field-label = { $label }:
asset-mc = кап. { $amount }
asset-starts-when = Начнётся { $relative } · { $date }
asset-started-when = Начался { $relative } · { $date }
asset-ends-when = Закончится { $relative } · { $date }
asset-ended-when = Закончился { $relative } · { $date }
asset-change-24h = { $change } (24 ч)
asset-share-sold = продано { $share }
asset-sold-of = { $sold } из { $total }
asset-raised-min-max = { $raised } (мин. { $min }, макс. { $max })
asset-raised-min = { $raised } (мин. { $min })
asset-raised-max = { $raised } (макс. { $max })
asset-graduated-on-to = Градуация { $date } → пул { $pool }
asset-graduated-on = Градуация { $date }
asset-graduated-to = Градуировал → пул { $pool }
asset-graduated = Градуировал
asset-vesting-share = { $share }% → { $who }
risk-fake = 🔴 Подделка: по данным поставщика, это не тот токен, за который он себя выдаёт.
risk-fake-why = 🔴 Подделка: { $why }
risk-first = Первый токен создателя
risk-others = { $count ->
    [one] Создатель: ещё { $count } токен
    [few] Создатель: ещё { $count } токена
   *[other] Создатель: ещё { $count } токенов
  }
risk-others-at-least = Создатель: других токенов не меньше { $count }
risk-graduated = градуировали: { $count }
risk-failed = не градуировали: { $count }
risk-vested = в вестинге { $share }%
risk-vested-own = в вестинге { $share }% ({ $own }% создателю)
risk-alike = { $count ->
    [one] ⚠️ Ещё { $count } токен называется { $symbol }
    [few] ⚠️ Ещё { $count } токена называются { $symbol }
   *[other] ⚠️ Ещё { $count } токенов называются { $symbol }
  }
risk-alike-at-least = ⚠️ Других токенов { $symbol } не меньше { $count }

card-starts = Начнётся { $when }
card-ends = Закончится { $when }
card-ended = Закончился { $when }
card-graduated = Градуация: { $when }
card-gone = Нет в списке
card-not-graduated = Без градуации
card-in-a-day = за 24 ч
card-over-minutes = за { $count } мин
card-over-hours = за { $count } ч
card-over-days = за { $count } дн.
list-priced-in = в { $symbol }
list-more = ещё { $count }
data-stale = Поставщик данных недоступен – показаны данные, полученные { $when }.
asset-button-copy = 📋 Копировать адрес
asset-button-details = Подробнее

# Кнопки, около 20 символов.
asset-button-refresh = Обновить
asset-button-auction = Аукцион
asset-button-asset = Токен
asset-button-card = Карточка
asset-button-alerts = 🔔 Алерты
asset-button-explorer = Эксплорер
asset-button-pool = Пул

auction-title = Аукцион { $name }
auction-sells = Продаётся
auction-sold-for = Оплата в
auction-token = Токен
auction-quote-token = Токен котировки
auction-pool-id = ID пула

lookalike-letters = ⚠️ Написан похожими буквами: читается как { $like }, но это не он.
lookalike-same = ⚠️ Называется как { $like }, известная монета. Проверьте адрес: это может быть другой токен.
lookalike-link = ⚠️ Название похоже на ссылку ({ $link }). Не открывайте её.
# $script – алфавит по-английски: Cyrillic, Greek …
lookalike-mixed = ⚠️ Латинские буквы смешаны с другими ({ $script }): название может выдавать себя за чужое.
lookalike-own-letters = «{ $name }» написано похожими буквами: читается как { $like }, известная монета, но это не она. Люди увидят предупреждение.
lookalike-own-same = «{ $name }» – название известной монеты. Их могут перепутать, и люди увидят предупреждение.
lookalike-own-link = «{ $name }» похоже на ссылку ({ $link }). Люди увидят предупреждение.
lookalike-own-mixed = В «{ $name }» латинские буквы смешаны с другими ({ $script }). Люди увидят предупреждение.
script-cyrillic = кириллица
script-greek = греческие
script-armenian = армянские
script-cherokee = чероки
script-coptic = коптские
script-lisu = лису

# До 100 символов.
search-about = Найти токены по названию, тикеру или адресу
asset-about = Карточка токена
asset-ask = Какой токен? Ответьте названием, тикером или адресом.
assets-about = Список токенов: на аукционе, скоро на аукционе и после градуации
auction-about = Аукцион токена
start-about = Начать здесь
help-about = Все команды

start-title = Gavel – аукционы токенов
start-text = Находите, отслеживайте и запускайте токены, которые продаются на аукционе.
start-send-name = 🔎 Отправьте название, $тикер или адрес контракта – придёт карточка
start-search = 🔎 { $command } – найти токен по названию, $тикеру или адресу
start-alerts = 🔔 { $command } – алерты об аукционах и ценах
start-launch = 🚀 { $command } – запустить свой токен
start-never-asks = В личку я пишу только с алертами, которые вы включили. Я никогда не попрошу вашу сид-фразу или приватный ключ.
start-button-launch = 🚀 Запустить токен
start-button-live = 🟢 Аукционы
start-button-newest = 🆕 Новые
start-button-alerts = 🔔 Алерты
start-button-help = ❔ Помощь
start-button-group = ➕ В группу
start-button-channel = 📣 В канал
start-button-server = ➕ Добавить на сервер

welcome-title = Привет, я Gavel
welcome-text = Я пишу о токенах, которые продаются на аукционе. Что присылать сюда?
welcome-later = { $managers } Посмотреть и изменить всё можно в любой момент: { $command }
welcome-button-auctions = 🔔 Аукционы на { $chain }: новые и с градуацией
welcome-button-new = 🔔 Новые аукционы на { $chain }
welcome-button-creator = 🔔 Все запуски одного создателя…
welcome-button-more = Другие алерты…

help-title = Команды
help-command = Команда, о которой рассказать
help-all-commands = ◀ Все команды
help-just-send = Или просто отправьте мне название, $тикер или адрес контракта.
help-options = Параметры указываются по имени, в любом порядке: { $example }. Подробнее о команде: { $help }
help-more = Подробнее о команде: { $help }
help-example = Пример: { $line }
help-option-needed-of = { $about }: { $choices } (обязательно)
help-option-of = { $about }: { $choices }
help-option-needed = { $about } (обязательно)

assets-all = Все
assets-title-all = Токены на { $chain }
assets-title-live = Активные аукционы на { $chain }
assets-title-upcoming = Скоро на { $chain }
assets-title-graduated = Токены после градуации на { $chain }
assets-none = На { $chain } пока нет токенов.
assets-none-live = На { $chain } сейчас нет активных аукционов.
assets-none-upcoming = На { $chain } пока не объявлено новых аукционов.
assets-none-graduated = На { $chain } пока нет токенов после градуации.
assets-never-graduate = Токены на { $chain } не градуируют.
assets-none-with-filters = На { $chain } ничего не подходит. Уберите какой-нибудь фильтр.
chosen = • { $label }
order-market-cap-highest = Капитализация: сначала большая
order-market-cap-lowest = Капитализация: сначала малая
order-volume-highest = Объём: сначала большой
order-volume-lowest = Объём: сначала малый
order-button-newest = Новые
order-button-market-cap = Кап.
order-button-volume = Объём

search-title = Поиск: { $term }
search-title-on = Поиск: { $term } на { $chain }
search-none = Токен «{ $term }» на { $chains } не найден. Попробуйте часть названия или тикер.
search-none-and = { $nothing } { $ignored }
search-none-on-mainnets = { $nothing } Для тестнета добавьте { $chain }.
search-near = Токен «{ $term }» на { $chains } не найден. Может быть, один из этих?
chain-ignored = На запрос о { $chains } поставщик данных присылает токены { $home }, поэтому показать их не получится.
asset-which = Какой { $term }?
asset-did-you-mean = Может быть, один из этих?
asset-none = Токена с адресом { $address } на { $chains } нет.
auction-none = Аукционного пула { $pool } на { $chains } нет. Аукционы: { $live }
auction-none-of = У { $name } нет аукционного пула.
pool-shared = { $address } – общий контракт всех аукционов этой сети, он не указывает ни на один из них. Укажите токен: его тикер, название или адрес.

# До 100 символов.
param-chain = Сеть
param-chain-unknown = «{ $typed }» – не сеть этого бота. Подойдёт { $chains }.
quote-token-unknown = Токен котировки «{ $typed }» на { $chains } неизвестен. Известны { $known }. Любой другой укажите по адресу (0x…).
quote-token-near = Токен котировки «{ $typed }» на { $chains } неизвестен. Может быть, { $near }? Неизвестный укажите по адресу (0x…).
quote-token-elsewhere = «{ $typed }» – токен котировки на { $chain }, а не на { $chains }. Добавьте { $option }.
quote-token-alike = «{ $typed }» на { $chain } может означать разные токены: { $tokens }. Укажите нужный по адресу (0x…).
param-category = Только эта категория
param-limit = Сколько показать, от 1 до { $max }
param-page = Номер страницы
param-asset = Название, тикер или адрес
param-show = Показать всё сразу
param-status = Какие токены
param-order = Сортировка; без неё сначала новые
param-numeraire = Только с этим токеном котировки (тикер или адрес)
param-creator = Только этого создателя (адрес)
param-pool = Название, тикер или адрес токена либо его пул
asset-choice = { $before } · { $after }

list-previous = ◀ Назад
list-next = Далее ▶
list-page = Страница { $page }
list-no-more = Больше ничего нет.
list-repeats = Этот список нельзя листать: поставщик данных присылает одну и ту же первую страницу. Используйте фильтр или поиск.
filter-status = статус
filter-numeraire = токен котировки
filter-category = категория
filter-creator = создатель
filter-term = название
list-all-left-out = Поставщик данных прислал только неподходящие токены. Не совпадает: { $filters }.
list-all-left-out-see-next = Поставщик данных прислал только неподходящие токены. Не совпадает: { $filters }. Возможно, подходящие есть на следующей странице.
list-left-out =
    { $count ->
        [one] Не показан { $count } токен, присланный поставщиком данных. Не совпадает: { $filters }.
        [few] Не показаны { $count } токена, присланные поставщиком данных. Не совпадает: { $filters }.
        [many] Не показаны { $count } токенов, присланные поставщиком данных. Не совпадает: { $filters }.
       *[other] Не показаны токены, присланные поставщиком данных: { $count }. Не совпадает: { $filters }.
    }
list-not-by-market-cap = Не отсортировано по капитализации: у поставщика данных свой порядок.
list-not-by-volume = Не отсортировано по объёму: у поставщика данных свой порядок.

error-misconfigured = Бот настроен неверно
error-unauthorised = Поставщик данных не принимает API-ключ бота. Оператор может запустить doctor и узнать причину.
error-forbidden = Поставщик данных отклоняет запрос. Оператор может запустить doctor и узнать причину.
error-blocked = Межсетевой экран перед поставщиком данных блокирует этого бота. Вы ни при чём; я продолжаю попытки.
error-not-found = Не найдено
error-not-found-text = По этому адресу в этой сети поставщик данных ничего не знает.
error-invalid = Запрос отклонён
error-invalid-text = Поставщик данных отклонил запрос. Если вы ввели всё верно, оператор может запустить doctor и узнать причину.
error-rate-limited = Слишком много запросов
error-rate-limited-text = Сейчас слишком много запросов. Попробуйте чуть позже.
error-unavailable = Поставщик данных недоступен
error-unavailable-text = Сейчас нет ответа. Попробуйте чуть позже.
error-malformed = Непонятный ответ
error-malformed-text = Поставщик данных прислал что-то нечитаемое. Попробуйте чуть позже.
error-ours = Что-то пошло не так
error-ours-text = Это моя ошибка, не ваша. Если повторится, отправьте оператору этот код: { $reference }
error-try-again = Попробовать снова

top-about = Токены: больше всего собрали, стоят, торгуются или изменились в цене, и самые новые
top-what = raised, mcap, volume, moved или new
top-period = Запущены за: day (день) или week (неделя)
# Кнопки, около 12 символов.
top-button-raised = 💰 Собрано
top-button-mcap = 💎 Капитализация
top-button-volume = 🔊 Объём
top-button-moved = 📈 Движение
top-button-new = 🆕 Новые
top-button-day = 24 ч
top-button-week = 7 дней
top-title-raised-day = Больше всего собрали на { $chain } (запуск за последние 24 ч)
top-title-raised-week = Больше всего собрали на { $chain } (запуск за последние 7 дней)
top-title-mcap = Крупнейшие по капитализации на { $chain }
top-title-volume = Больше всего торгов на { $chain } за 24 ч
top-title-volume-week = Больше всего торгов на { $chain } за 7 дней
top-title-moved = Сильнее всего изменились на { $chain } за 24 ч
top-title-moved-week = Сильнее всего изменились на { $chain } за 7 дней
top-title-new-day = Новые на { $chain } за последние 24 ч
top-title-new-week = Новые на { $chain } за последние 7 дней
top-raised = Собрано { $money }
top-volume = Объём { $volume }
top-not-comparable =
    { $count ->
        [one] Ещё { $count } токен собирает в другом токене котировки, их нельзя сравнить.
        [few] Ещё { $count } токена собирают в других токенах котировки, их нельзя сравнить.
        [many] Ещё { $count } токенов собирают в других токенах котировки, их нельзя сравнить.
       *[other] Ещё { $count } токена собирают в других токенах котировки, их нельзя сравнить.
    }
top-not-in-dollars = Ещё с данными только в токене котировки: { $count }.
top-day-only = Таких данных нет: поставщик сообщает изменения и объёмы только за 24 ч.
top-among-newest = Среди самых новых токенов (учтено: { $count }).
top-among-most-traded = Среди токенов с самым большим объёмом за 24 ч (учтено: { $count }).
top-none-raised-day = Из запущенного на { $chain } за последние 24 ч пока никто ничего не собрал.
top-none-raised-week = Из запущенного на { $chain } за последние 7 дней пока никто ничего не собрал.
top-none-raised-uncounted = Пулы на { $chain } не считают, сколько собрали. Попробуйте капитализацию или объём.
top-none-mcap = На { $chain } капитализация в долларах неизвестна.
top-none-volume = На { $chain } за последние 24 ч не было торгов.
top-none-moved = На { $chain } за последние 24 ч ни одна цена не изменилась.
top-none-new-day = На { $chain } за последние 24 ч ничего не запускали.
top-none-new-week = На { $chain } за последние 7 дней ничего не запускали.
top-undated = Поставщик данных не сообщает, когда запущены токены.

watchlist-about = Ваш список токенов: как изменилась цена с момента добавления
watchlist-add = Название, тикер или адрес токена, который добавить
watchlist-title = ⭐ Ваше избранное
watchlist-empty = Пока пусто. Нажмите ⭐ Избранное на карточке токена или вызовите /watchlist с его названием.
watchlist-added = ⭐ { $token } в избранном
watchlist-full = Избранное заполнено: максимум токенов – { $max }. Сначала удалите какой-нибудь.
watchlist-removed = Удалено: { $address }.
watchlist-remove-title = Какой токен удалить?
watchlist-since = { $change } с добавления
watchlist-price = Цена { $price }
watchlist-no-price = сейчас нет цены
watchlist-button-list = ⭐ Моё избранное
watchlist-button-remove = Удалить…
watchlist-button-remove-this = Удалить
creators-about = Алерты об аукционах создателя
by-about = Токены создателя
by-title = Токены создателя { $creator }
by-title-on = Токены создателя { $creator } · { $chain }
by-none = На { $chain } у этого создателя нет токенов.
by-button-alerts = 🔔 Алерты обо всех его запусках
share-about = Поделиться токеном
share-title = Поделиться { $token }
share-title-unlisted = Поделиться этим токеном
share-text = Выберите, где: пост вы увидите до отправки. Или скопируйте ссылку:
share-nowhere = Нет страницы о токенах на { $chain }, на которую можно сослаться.
# Кнопки карточки, не меньше двух в ряд: до 16 символов.
asset-button-watch = ⭐ Избранное
asset-button-creator = 👤 Создатель
asset-button-share = 📤 Поделиться

## Alerts

alerts-about = Алерты об аукционах

# Кнопки в полряда: до 18 символов.
alerts-kind-live = 🟢 Старт
alerts-kind-incoming = 🕒 Скоро
alerts-kind-progress = 📈 Прогресс
alerts-kind-ending = ⏳ Конец
alerts-kind-graduated = 🎓 Градуация
alerts-kind-price = 💲 Цена
alerts-kind-mcap = 🏦 Капитализация
alerts-kind-digest = 🗓 Дневная сводка

alerts-about-live = аукцион стартует
alerts-about-incoming = аукцион объявлен
alerts-about-progress = продано 25%, 50%, 75%…
alerts-about-ending = аукцион скоро закончится
alerts-about-graduated = аукцион дошёл до градуации
alerts-about-price = цена токена изменится или пересечёт значение
alerts-about-mcap = капитализация токена изменится или пересечёт значение
alerts-about-digest = раз в день, что произошло

alerts-rule-live = Любой аукцион стартует
alerts-rule-live-one = { $name } стартует
alerts-rule-incoming = Объявлен любой аукцион
alerts-rule-incoming-one = { $name }: аукцион объявлен
alerts-rule-graduated = Любой аукцион дошёл до градуации
alerts-rule-graduated-one = { $name }: градуация
alerts-rule-progress = На любом аукционе продано { $shares }
alerts-rule-progress-one = { $name }: продано { $shares }
alerts-rule-ending = За { $time } до конца любого аукциона
alerts-rule-ending-one = За { $time } до конца { $name }
alerts-rule-price-moves = Цена { $name } изменится на { $change }
alerts-rule-price-above = Цена { $name } поднимется выше { $limit }
alerts-rule-price-below = Цена { $name } упадёт ниже { $limit }
alerts-rule-mcap-moves = Капитализация { $name } изменится на { $change }
alerts-rule-mcap-above = Капитализация { $name } поднимется выше { $limit }
alerts-rule-mcap-below = Капитализация { $name } упадёт ниже { $limit }
alerts-rule-digest = Дневная сводка в { $time }, { $zone }
alerts-rule-filtered = { $rule } · { $filters }
alerts-filter-quote = токен котировки { $token }
alerts-filter-creator = создатель { $creator }
alerts-filter-name = с названием «{ $name }»
alerts-filter-mcap = капитализация ≥ { $amount }
alerts-filter-raised = собрано ≥ { $amount }
alerts-some-token = Токен
alerts-limit-quote = { $amount } (в токене котировки)
alerts-minutes = { $count } мин
alerts-hours = { $count } ч

# Кнопки. Прогресс, конец и цена – в полряда: до 18 символов.
alerts-short-progress = 📈 Прогресс { $shares }
alerts-short-ending = ⏳ Конец: { $time }
alerts-short-price-moves = 💲 Цена ±{ $change }
alerts-short-price-above = 💲 Цена выше { $limit }
alerts-short-price-below = 💲 Цена ниже { $limit }
alerts-short-mcap-moves = 🏦 Капитализация ±{ $change }
alerts-short-mcap-above = 🏦 Капитализация выше { $limit }
alerts-short-mcap-below = 🏦 Капитализация ниже { $limit }
alerts-short-any-chain = { $rule }, любая сеть

alerts-incoming = 🕒 Скоро: { $token }
alerts-live = 🟢 Аукцион стартовал: { $token }
alerts-graduated = 🎓 Градуация: { $token }
alerts-ended = ⏹️ Завершён: { $token }
alerts-gone = ⏹️ Больше не в списке: { $token }
alerts-progress = 📈 Продано { $share }: { $token }
alerts-sold-out = ✅ Распродан: { $token }
alerts-ending-soon = ⏳ Скоро конец: { $token }
alerts-ending = ⏳ Конец через { $hours } ч: { $token }
alerts-price-above = ▲ Цена выше { $limit }: { $token }
alerts-price-below = ▼ Цена ниже { $limit }: { $token }
alerts-price-moved = 💲 Цена { $change }: { $token }
alerts-price-rose = ▲ Цена выросла: { $token }
alerts-price-fell = ▼ Цена упала: { $token }
alerts-mcap-above = ▲ Капитализация выше { $limit }: { $token }
alerts-mcap-below = ▼ Капитализация ниже { $limit }: { $token }
alerts-mcap-moved = 🏦 Капитализация { $change }: { $token }
alerts-mcap-rose = ▲ Капитализация выросла: { $token }
alerts-mcap-fell = ▼ Капитализация упала: { $token }
alerts-several = 🔔 { $count ->
    [one] { $count } алерт
    [few] { $count } алерта
    [many] { $count } алертов
   *[other] { $count } алерта
  }
alerts-detail-ends = конец { $time }
alerts-detail-starts = старт { $time }
alerts-detail-now = сейчас { $value }
alerts-value-changed = { $value }  { $change } от { $before }
alerts-outcome-sold-out = Всё распродано, градуация состоялась.
alerts-outcome-graduated = Аукцион завершён: градуация состоялась.
alerts-outcome-ended = Завершён без градуации.
alerts-outcome-ended-at = Завершён без градуации, продано { $share }.
alerts-outcome-gone = У поставщика данных его больше нет.

alerts-digest-title = 🗓 Дневная сводка, { $date }
alerts-digest-counts = Активны: { $live } · стартовали: { $wentLive } · градуация: { $graduated }
alerts-digest-ending = Закончатся в ближайшие 24 часа
alerts-digest-newest = Новые
alerts-digest-graduated = Градуация
alerts-digest-movers = Сильнее всего изменились (24 ч)
alerts-digest-zone = Сутки считаются по { $zone }.

alerts-list-own = Ваши алерты
alerts-list-chat = Алерты здесь
alerts-list-topic = Алерты в этой теме
alerts-list-other-chat = Алерты
alerts-list-empty = Алертов пока нет. Нажмите «Добавить», чтобы выбрать, или наберите { $line }
alerts-list-no-more = Больше алертов нет.
alerts-paused = ⏸️ Алерты приостановлены. { $reason } { $resume }
alerts-resumed = { $reason } Алерты снова приходят.
alerts-resume-own = Наберите здесь { $command }, чтобы включить их снова.
alerts-lost-blocked = Вы меня заблокировали, поэтому ничего не отправлялось.
alerts-lost-removed = Меня удалили из чата, поэтому ничего не отправлялось.
alerts-lost-gone = Такого места больше не было, поэтому ничего не отправлялось.
alerts-lost-topic-closed = Тема была закрыта, поэтому ничего не отправлялось.
alerts-lost-forbidden = Мне нельзя было писать, поэтому ничего не отправлялось.
alerts-lost-refused = Платформа отклонила несколько сообщений подряд.
alerts-lost-operator = Их приостановил оператор этого бота.
alerts-resume-operator = Возобновить их может только он.
alerts-muted = 🔕 Заглушено, пока кто-нибудь не включит снова. Алерты за это время не придут.
alerts-muted-until = 🔕 Заглушено до { $time }. Алерты за это время не придут.
alerts-chat-id = чат { $id }

telegram-only-managers = Изменить это могут только администраторы.
telegram-not-manager = Менять алерты здесь могут только администраторы. Напишите мне в личку, чтобы настроить свои.
telegram-manager-resumes = Они продолжатся, когда администратор отправит сюда /alerts.
telegram-alerts-begun = Администратор включил здесь алерты. Администраторы могут смотреть и менять их: /alerts.
telegram-not-managed = Этот чат настроить не получится: меня в нём нет или вы там не администратор. Добавьте меня администратором с правом писать и попробуйте снова.
telegram-cant-post = Мне нельзя писать в этот чат. Сделайте меня администратором с правом писать и попробуйте снова.
telegram-managers-unseen = Мне не видно, кто администраторы этого чата. Сделайте меня администратором и попробуйте снова.
# Названия прав – как в Discord на русском.
discord-only-managers = Изменить это могут только те, у кого есть право «Управлять сервером» или «Управлять вебхуками».
discord-not-manager = Чтобы менять алерты здесь, нужно право «Управлять сервером» или «Управлять вебхуками». Напишите мне в личку, чтобы настроить свои.
discord-manager-resumes = Они продолжатся, когда кто-нибудь с правом «Управлять сервером» или «Управлять вебхуками» вызовет здесь /alerts.
discord-alerts-begun = Участник с правом «Управлять сервером» или «Управлять вебхуками» включил здесь алерты. Другие с этими правами могут смотреть и менять их: /alerts.
discord-not-managed = Этот канал настроить не получится: меня в нём нет или у вас там нет ни права «Управлять сервером», ни «Управлять вебхуками». Дайте мне права «Просматривать канал» и «Отправлять сообщения» и попробуйте снова.
discord-cant-post = Мне нельзя писать в этот канал. Дайте мне права «Просматривать канал» и «Отправлять сообщения» и попробуйте снова.
discord-managers-unseen = Мне не видно, кто может менять алерты здесь. Дайте мне право «Просматривать канал» в этом канале и попробуйте снова.
alerts-begun = 🔔 Здесь включены алерты
alerts-cant-post-now = Сейчас не получилось написать туда. Попробуйте чуть позже.
alerts-managers-unknown = Сейчас не получается проверить, кто может менять алерты здесь. Попробуйте чуть позже.
alerts-managers-unknown-there = Сейчас не получается проверить, кто может менять алерты там. Попробуйте чуть позже.
alerts-other-chat-private = Другие чаты и каналы настраиваются только в личке со мной. Отправьте это туда.
alerts-guest = Я здесь не участник и могу только отвечать. Для алертов и настроек добавьте меня на свой сервер или вызовите это в личке со мной. { $add }

# До 18 символов там, где две кнопки в ряд.
alerts-button-alerts = 🔔 Алерты
alerts-button-list = ◀ Все алерты
alerts-button-all = Все алерты
alerts-button-back = ◀ Назад
alerts-button-add = Добавить
alerts-button-add-more = Добавить ещё
alerts-button-change = Изменить
alerts-button-remove = Удалить
alerts-button-remove-all = Удалить все
alerts-button-keep = Оставить
alerts-button-mute = Заглушить
alerts-button-unmute = Включить снова
alerts-button-channel = Настроить канал
alerts-button-pick-channel = Выбрать канал
alerts-button-pick-group = Выбрать группу
alerts-button-own = Мои алерты
alerts-button-live-auctions = Активные аукционы
alerts-button-follow = Следить
alerts-button-unfollow = Не следить
alerts-button-ticked = ✓ { $label }

# До 45 символов: и подпись формы.
alerts-set-price = Задать цену…
alerts-set-mcap = Капитализация…
alerts-set-progress = Задать процент…
alerts-set-ending = Задать минуты…
alerts-set-digest = Задать час…
alerts-set-min-mcap = Мин. капитализация…
alerts-set-min-raised = Мин. сбор…
alerts-set-creator = Один создатель…
alerts-min-mcap-title = Мин. капитализация
alerts-min-raised-title = Мин. сбор
alerts-creator-title = Один создатель
alerts-button-filters = Ещё фильтры…
alerts-set-filter = { $filter }…
alerts-name-title = Название, тикер
alerts-category-title = Категория
alerts-any-category = Любая категория
alerts-any-chain = Любая сеть
alerts-ask-price = Какая цена? Например { $value }, или изменение, например { $change }
alerts-ask-mcap = Какая капитализация? Например { $value }, или изменение, например { $change }
alerts-ask-progress = Какие проценты? Например { $example }
alerts-ask-ending = За сколько минут до конца? Например { $example }, или часов, например { $hours }
alerts-ask-digest = В котором часу по UTC? Например { $example }, или вместе с городом, например { $city }
alerts-ask-reply = { $ask } – ответьте на это сообщение
alerts-ask-min-mcap = Какая капитализация нужна как минимум? Например { $example }
alerts-ask-min-raised = Сколько аукцион должен собрать как минимум? Например { $example }
alerts-minimum-about = Ниже минимума уведомлений нет, как и пока цифра неизвестна. О старте, анонсе и градуации сообщим, когда он будет достигнут.
alerts-no-minimum = Без минимума
alerts-ask-creator = Какой адрес у создателя? Например { $example }
alerts-ask-name = Какая часть названия или тикера? Например { $example }
alerts-ask-quote = Какой токен котировки? Символ или адрес, например { $example }
alerts-ask-category = Какая категория? Например { $example }
alerts-ask-chain = Какая сеть? Например { $example }
alerts-creator-about = Или откройте его токен и нажмите 👤 Создатель.
alerts-ask-side = Выше или ниже? Текущее значение неизвестно. Напишите { $above } или { $below }
alerts-button-search = 🔎 Найти «{ $text }»

alerts-one = 🔔 Алерт
alerts-added = { $count ->
    [one] Добавлен { $count } алерт
    [few] Добавлено { $count } алерта
    [many] Добавлено { $count } алертов
   *[other] Добавлено { $count } алерта
  }
alerts-existing = { $rule } (уже есть)
alerts-nothing-new = Ничего нового
alerts-changed = ✅ Обновлено
alerts-removed = { $count ->
    [0] Нечего удалять
    [one] 🔕 Удалён { $count } алерт
    [few] 🔕 Удалено { $count } алерта
    [many] 🔕 Удалено { $count } алертов
   *[other] 🔕 Удалено { $count } алерта
  }
alerts-remove-all = { $count ->
    [one] Удалить { $count } алерт?
    [few] Удалить { $count } алерта?
    [many] Удалить { $count } алертов?
   *[other] Удалить { $count } алерта?
  }
alerts-remove-all-about = Эти алерты больше не будут приходить. Отменить это нельзя.
alerts-mute = 🔕 На сколько заглушить?
alerts-mute-about = Алерты за это время не придут.
alerts-set-mute = Другое время…
alerts-ask-mute = Или на другое время, например { $examples }
alerts-mute-on = Пока не включу
alerts-hint-zone = Это по UTC. Для своего часового пояса наберите { $line }
alerts-hint-role = Чтобы упоминать роль, наберите { $line }

alerts-choose = Какие алерты вам нужны?
alerts-or-type = Или напишите, например: { $line }
alerts-current = Сейчас { $value }
alerts-which-token = Этот алерт – для одного токена. Выберите токен здесь или нажмите 🔔 Алерты на его карточке.
alerts-preset-any = Любой аукцион
alerts-preset-token = Этот токен
alerts-preset-above = ▲ { $value }
alerts-preset-below = ▼ { $value }
alerts-preset-percents = { $first } … { $last }
alerts-preset-percents-all = { $all }
alerts-pick = Настроить канал
alerts-pick-about = Выберите канал или группу и настройте алерты здесь, в личке. Я должен быть там администратором с правом писать.

alerts-token-own = Ваши алерты на этот токен:
alerts-token-chat = Алерты здесь на этот токен:
alerts-token-topic = Алерты этой темы на этот токен:
alerts-token-other-chat = Алерты на этот токен:
alerts-token-none = Алертов на этот токен пока нет.
alerts-token-note = О нём могут сообщать и общие алерты чата: см. «Все алерты».

alerts-already-above = Сейчас { $value }: уже выше. Алерт придёт, когда значение упадёт ниже и снова поднимется выше.
alerts-already-below = Сейчас { $value }: уже ниже. Алерт придёт, когда значение поднимется выше и снова упадёт ниже.
alerts-value-unknown = { $name }: сейчас значение неизвестно. Алерты начнутся, когда оно появится.
alerts-already-sold = Уже продано { $share }, поэтому этот алерт не придёт.
alerts-already-ending = До конца меньше { $time }, поэтому этот алерт не придёт.
alerts-never-ends = У него нет срока окончания, поэтому этот алерт не придёт.
alerts-never-graduates = Токены на { $chain } не градуируют, поэтому этот алерт не придёт.
alerts-over-incoming = { $token }: аукцион уже объявлен, поэтому алертов { $kinds } больше не будет.
alerts-over-live = { $token }: аукцион уже активен, поэтому алертов { $kinds } больше не будет.
alerts-over-graduated = { $token }: градуация уже состоялась, поэтому алертов { $kinds } больше не будет.
alerts-over-ended = { $token }: аукцион завершён, поэтому алертов { $kinds } больше не будет.
alerts-over-gone = { $token } больше нет в списке, поэтому алертов { $kinds } больше не будет.
alerts-instead = { $remark } Что ещё может прийти: { $line }

# До 100 символов вместе со словами перед текстом.
alerts-param-of = { $kinds }: { $about }
alerts-param-what = Что сделать, с параметрами: add …, mute 8h, remove all; пусто – список
alerts-param-category = Только эта категория
alerts-param-name = Только с этим в названии или тикере
alerts-param-mcap = Только от этой капитализации, или any
alerts-param-raised = Только когда собрано столько, или any
alerts-param-quote = Только с этим токеном котировки
alerts-param-creator = Только этого создателя
alerts-param-token = Один токен: название, тикер или адрес
alerts-param-percent = сколько процентов продано, например 25,50,100
alerts-param-minutes = за сколько минут до конца, 5–1440
alerts-param-above = поднимется выше этого
alerts-param-below = упадёт ниже этого
alerts-param-move = изменится на столько процентов
alerts-param-hour = час дня, 0–23
alerts-param-zone = часовой пояс или город (без него – UTC)
alerts-param-in = ID другого чата или канала, которым вы управляете (только в личке)
alerts-guide-one = один алерт по номеру в списке; remove all – все
alerts-guide-mute = 30m, 8h, 7d или on
alerts-guide-channel = настроить канал или группу из лички (Telegram)
alerts-param-role = Упоминать эту роль в каждом алерте
alerts-role-unreadable = «{ $typed }» – не роль. Выберите из списка.
alerts-role-unfit = Роли можно упоминать только на серверах Discord.
alerts-role-later = Укажите вид и токен вместе с { $option } или измените алерт после добавления.
alerts-with-role = { $rule } · упоминает { $role }
alerts-role-set = Каждый алерт упоминает { $role }.
alerts-role-unset = Эти алерты не упоминают ролей.
alerts-button-no-role = Без упоминания
discord-role-unknown = Здесь нет такой роли.
discord-role-not-yours = Вы не можете упоминать { $role }: нужна роль, которую может упоминать любой, или право «Упоминание @everyone».
discord-role-not-mine = Я не могу упоминать { $role }: разрешите её упоминать всем или дайте мне право «Упоминание @everyone».
alerts-follow-about = Алерты на один токен
alerts-follow-on = Какие алерты добавить
alerts-follow-off = Какие алерты удалить

alerts-kind-unknown = Неизвестный алерт «{ $typed }». Есть такие: { $kinds }.
alerts-kind-near = Неизвестный алерт «{ $typed }». Может быть, { $near }?
alerts-subcommand-unknown = Неизвестное слово «{ $typed }». Есть add (например, { $example }), show, change, remove, mute и unmute; просто /alerts показывает список.
alerts-subcommand-near = Неизвестное слово «{ $typed }». Может быть, { $near }? Есть add (например, { $example }), show, change, remove, mute и unmute; просто /alerts показывает список.
alerts-option-with-add = { $option } работает только с add, например { $example }
alerts-option-unnamed = Неизвестный алерт «{ $typed }». Параметры пишутся с именем, например { $example }
alerts-option-unfit = { $option } работает только с { $supporting }, но не с { $requested }.
alerts-one-value = Из { $options } в одном алерте можно указать только одно; для другого добавьте ещё один алерт.
alerts-shared-value = У { $kinds } не может быть общего значения. Добавьте их по одному.
alerts-token-needed = Алерт { $kind } – для одного токена: добавьте { $option } с тикером или адресом или нажмите 🔔 Алерты на карточке токена.
alerts-token-unfit = { $option } не работает с { $kind }: этот алерт – о многих токенах. Добавьте { $kind } отдельно.
alerts-filter-unfit = { $filter } не работает с { $option }: там уже указан один токен. Оставьте что-то одно.
alerts-token-by-itself = Алертам { $kinds } нужен один токен. Добавьте их отдельно: { $first }, а остальное так: { $second }
alerts-change-what = Что изменить? Например: { $example }
alerts-amount-unreadable = «{ $typed }» – не сумма. Пишите 0,5, 1,5e-7, 300k или 2,5m.
alerts-amount-impossible = «{ $typed }» недостижимо. Укажите сумму больше 0, которой может достичь цена.
alerts-amount-ambiguous = «{ $typed }» можно понять двояко. Напишите { $thousands } или { $fraction }.
alerts-percent-unreadable = «{ $typed }» не подходит. Пишите целые числа от { $min } до { $max }, например 25,50.
alerts-percent-many = Значений слишком много: { $count }, максимум { $max }.
alerts-zone-unknown = Неизвестный часовой пояс «{ $typed }». Укажите город или название вроде Europe/Berlin, America/New_York или UTC.
alerts-zone-near = Неизвестный часовой пояс «{ $typed }». Может быть, { $near }? Или укажите другой город, или UTC.
alerts-category-unknown = Неизвестная категория «{ $typed }». Подойдёт { $categories }.
alerts-chat-unreadable = «{ $typed }» – не ID чата или канала: это должно быть число.
alerts-mute-unreadable = На сколько? Укажите { $examples } (максимум год) или { $on }, чтобы заглушить до { $unmute }.
alerts-which-number = Какой алерт? Укажите его номер из { $command }
alerts-none-of-number = Алерта { $number } здесь нет. Смотрите { $command }
alerts-gone-already = Этого алерта уже нет. Смотрите { $command }
alerts-done-already = Уже сделано. Смотрите { $command }
alerts-too-many = { $count ->
    [one] Здесь уже { $count } алерт, больше нельзя. Сначала удалите его: { $command }
    [few] Здесь уже { $count } алерта, больше нельзя. Сначала удалите лишние: { $command }
    [many] Здесь уже { $count } алертов, больше нельзя. Сначала удалите лишние: { $command }
   *[other] Здесь уже { $count } алерта, больше нельзя. Сначала удалите лишние: { $command }
  }
alerts-channel-telegram = Отправьте { $line } мне в личку в Telegram.
alerts-follow-unreadable = «{ $typed }» – не алерт. Откройте карточку токена, нажмите 🔔 Алерты, затем алерт, который удалить.

## Launch: the questions, the review, what becomes of it

launch-command = Запустить свой токен
launch-command-launching = Продолжить запуск
launch-command-launches = Ваши черновики и запуски
launch-command-cancel = Удалить начатый черновик
launch-command-metadata = Загрузить метаданные токена, не запуская его
launch-param-token = Тикер, а после него название: RIVER River Heron
launch-param-from = Чат, в котором всё началось
launch-param-from-wrong = Просто отправьте /launch – остальное я спрошу.
launch-picture-alone = Запустить токен с этой картинкой?
launch-picture-alone-caption = Отправьте её ещё раз с подписью { $example } или начните с { $launch } и пришлите, когда я спрошу логотип.
launch-picture-alone-option = Начните с { $launch } и пришлите картинку, когда я спрошу логотип.
launch-param-step = Что сделать
launch-not-set-up = Запуск здесь не настроен: оператору бота нужно добавить шаблон (TEMPLATES).
launch-templates-unavailable = Поставщик данных сейчас не может сказать, что можно запустить. Попробуйте ещё раз чуть позже.

launch-question-title = Вопрос { $number } из { $of }: { $label }
launch-answered = Отвечено: { $answered } из { $of }
launch-example = Пример
launch-allowed = Можно
launch-now = Сейчас
launch-left-out = пропущено
launch-you-typed = Вы ввели
launch-none = нет

# Кнопки, около 20 символов.
launch-answer = Ответить
launch-keep = Оставить
launch-skip = Пропустить
launch-leave-out = Убрать
launch-back = ◀ Назад
launch-cancel = Отмена

launch-form = Ваш токен
launch-form-metadata = Ваши метаданные
launch-form-optional = { $about } (необязательно)
launch-form-old = Эта форма устарела. /launch покажет, на чём вы остановились.

launch-chain = Сеть
launch-chain-question = В какой сети запустить токен?
launch-chain-unknown = Там запустить нельзя. Выберите { $chains }.

launch-template = Шаблон
launch-template-question = Как его продавать?
launch-template-unknown = Такого шаблона нет. Выберите { $templates }.
launch-template-gone = Этого шаблона в боте больше нет. /launch покажет нынешние.
launch-template-missing = У поставщика данных нет выбранного вами шаблона в сети { $chain }.
launch-template-other = Условия шаблона не те, что показывала ваша сводка. Посмотрите её ещё раз, здесь она с нынешними условиями, и подтвердите.
# In the place of how much is to be raised.
launch-template-no-minimum = минимума нет: торги идут с самого начала, как бы мало ни покупали
launch-no-launcher = Бот не знает контракта запуска на { $chain }, поэтому запустить там ничего нельзя. Оператор может указать его в LAUNCHERS.

launch-name = Название
launch-name-question = Как называется ваш токен?
launch-all-at-once = Или отправьте всё сразу: логотип с подписью { $example }
launch-all-at-once-option = Или всё сразу: { $example } – логотип спрошу потом.
launch-name-allowed = 1–{ $max } символов в одну строку; эмодзи можно.
launch-name-form = До { $max } символов
launch-name-keep = Взять это название
launch-name-lookalike = «{ $name }» написано похожими буквами: читается как токен, который уже есть.

launch-symbol = Тикер
launch-symbol-question = Какой у токена тикер?
launch-symbol-allowed = 1–15 букв A–Z и цифр.
launch-symbol-allowed-letters = 1–15 букв A–Z. { $chain } принимает каждый тикер раз в 24 часа.
launch-symbol-allowed-pattern = Всё, что подходит под { $pattern }
launch-symbol-wrong = «{ $symbol }» не может быть тикером. Можно: { $allowed }
launch-symbol-long = В «{ $symbol }» символов: { $count }. Можно: { $allowed }
launch-symbol-keep = Всё равно взять
launch-symbol-show = Показать тот токен
launch-symbol-unchecked = Не получилось проверить, есть ли уже { $symbol }: поставщик данных не отвечает.
launch-symbol-exists = { $symbol } уже есть. Отправьте другой тикер или всё равно возьмите этот.
launch-symbol-reads-like = { $symbol } читается как { $other }, который уже есть. Отправьте другой тикер или всё равно возьмите этот.
launch-symbol-exists-on = { $symbol } уже есть на { $chain }. Отправьте другой тикер или всё равно возьмите этот: люди могут их перепутать.
launch-symbol-reserved = { $symbol } занят на { $chain }: за последние 24 часа с ним запустили другой токен. Измените его или запустите позже.
launch-symbol-reads-like-on = { $symbol } написан похожими буквами: читается как { $other }, который уже есть на { $chain }. Отправьте другой тикер или всё равно возьмите этот: люди могут их перепутать.

launch-description = Описание
launch-description-question = Опишите свой токен. Потом изменить это нельзя.
launch-description-allowed = До { $max } символов, можно в несколько строк.
launch-description-form = До { $max } символов

launch-logo = Логотип
launch-logo-question = Какой логотип у токена? Фото, файл или ссылка IPFS.
launch-logo-question-ipfs = Где в IPFS лежит логотип токена? Загружать файлы этот бот не умеет.
launch-logo-allowed = PNG, JPEG, WebP или GIF до 10 МБ; обрежется до квадрата. Или CID либо ссылка IPFS.
launch-logo-allowed-ipfs = CID IPFS, адрес ipfs:// или https-ссылка шлюза.
launch-logo-form = CID или ссылка IPFS
launch-logo-or-ipfs = Или CID либо ссылка IPFS на логотип
launch-logo-file = PNG, JPEG, WebP или GIF до 10 МБ
launch-logo-no-cid = Это не CID и не ссылка IPFS. Отправьте саму картинку или её CID.
launch-logo-no-cid-ipfs = Это не CID и не ссылка IPFS. Загрузите картинку в IPFS и отправьте её CID.
launch-logo-no-files = Загружать файлы этот бот не умеет. Выложите картинку в IPFS сами и отправьте её CID.
launch-logo-cropped = Так будет выглядеть логотип: середина вашей картинки, 512 × 512 пикселей.
launch-logo-cropped-next = Возьмите его или отправьте другой.
launch-logo-use = Взять этот
launch-logo-another = Отправить другой
launch-logo-keep-old = Оставить прежний
launch-logo-none = Без логотипа
launch-logo-gone = Эта картинка больше не хранится. Отправьте её ещё раз.

launch-image-busy = Сейчас обрабатывается много картинок. Отправьте свою ещё раз через минуту.
launch-image-large = Этот файл больше 10 МБ. Отправьте картинку поменьше.
launch-image-detailed = Эту картинку не получается достаточно уменьшить. Отправьте такую, где меньше деталей.
launch-image-scans = Этот JPEG не получается обработать. Сохраните его заново как PNG или JPEG и отправьте.
launch-image-damaged = Эта картинка не читается: она повреждена или неполная. Сохраните её заново как PNG или JPEG и отправьте.
launch-image-pixels = Картинка слишком большая: { $size } пикселей. Отправьте не больше { $most }.
launch-image-small = Картинка слишком маленькая: { $size } пикселей. Нужно хотя бы { $least }, лучше всего { $best }.
launch-image-empty = Этот файл пустой. Отправьте PNG, JPEG, WebP или GIF.
launch-image-svg = SVG не подойдёт: в нём может быть код. Сохраните картинку как PNG и отправьте.
launch-image-page = Это веб-страница или текст, а не картинка. Отправьте PNG, JPEG, WebP или GIF.
launch-image-pdf = Это PDF. Сохраните страницу как PNG или JPEG и отправьте.
launch-image-heic = HEIC и AVIF не подойдут. Сохраните как JPEG или отправьте как фото, а не файлом.
launch-image-video = Это видео или анимация. Отправьте PNG, JPEG, WebP или GIF.
launch-image-archive = Это архив. Распакуйте его и отправьте картинку: PNG, JPEG, WebP или GIF.
launch-image-format = Этот формат не подойдёт. Сохраните картинку как PNG или JPEG и отправьте.
launch-image-unknown = Эта картинка не читается. Отправьте PNG, JPEG, WebP или GIF.

launch-links = Ссылки
launch-links-question = Сайт и соцсети, каждая ссылка на своей строке.
launch-links-allowed = До { $max } ссылок, начинающихся с https://; перед каждой можно написать её название.
launch-links-form = По одной на строке, например: Website https://…
launch-links-none = Отправьте хотя бы одну ссылку или пропустите.
launch-links-many = Максимум ссылок – { $max }; вы прислали { $count }.
launch-links-twice = Эта ссылка указана дважды. Оставьте одну.
launch-links-label-long = Название перед этой ссылкой слишком длинное: максимум символов – { $max }.
launch-link-no-scheme = Отправьте ссылку целиком, начиная с https://.
launch-link-scheme = Ссылка должна начинаться с https:, а не с { $scheme }
launch-link-password = В ссылке не должно быть имени пользователя и пароля.
launch-link-not-public = Ссылка должна вести на публичный сайт, например { $example }, и быть не длиннее 512 символов.
launch-link-field = Ссылка: { $label }
launch-more-links = Другие ссылки

launch-categories = Категории
launch-categories-question = Что это за токен?
launch-category-builder = Токен разработчика
launch-category-product = Токен продукта
launch-categories-both = Обе
launch-categories-unknown = Можно выбрать: { $categories }. Или пропустите.

launch-wallet = Кошелёк
launch-wallet-question = Какой кошелёк подпишет запуск и оплатит газ? Нужен только его адрес. Приватный ключ или сид-фразу здесь никто никогда не спросит.
launch-wallet-again = Как в прошлый раз: { $wallet }
launch-wallet-allowed = 0x и 40 символов.
launch-wallet-form = Адрес, который подпишет и оплатит газ

launch-fee-receiver = Получатель комиссий
launch-fee-receiver-question = Какой адрес указать в метаданных токена как получателя комиссий? Он там только показывается и не влияет на то, кто получает комиссии.
launch-fee-receiver-allowed = Адрес или «wallet» – кошелёк, который подписывает.
launch-fee-receiver-address = Адрес.
launch-fee-receiver-form = Адрес
launch-fee-receiver-same = Тот же кошелёк

launch-vesting = Вестинг
launch-vesting-question = Вестинг: кто получит заблокированные токены, которые разблокируются за срок из шаблона? По одному на строке.
launch-vesting-question-days = Вестинг: кто получит заблокированные токены, которые разблокируются за { $days ->
    [one] { $days } день
    [few] { $days } дня
    [many] { $days } дней
   *[other] { $days } дня
}? По одному на строке.
launch-vesting-question-cliff = Вестинг: кто получит заблокированные токены, которые разблокируются за { $days ->
    [one] { $days } день
    [few] { $days } дня
    [many] { $days } дней
   *[other] { $days } дня
}, из них { $cliff ->
    [one] первый { $cliff } день
    [few] первые { $cliff } дня
    [many] первые { $cliff } дней
   *[other] первые { $cliff } дня
} – ничего (клифф)? По одному на строке.
launch-vesting-allowed = До { $max } адресов, у каждого доля эмиссии, например 5%, или количество, например 5000000 tokens; всего максимум { $percent }.
launch-vesting-form = По одному на строке: адрес и 5% или адрес и 5000000 tokens
launch-vesting-no-unit = Напишите { $share } или { $tokens }: просто { $number } может значить и то и другое.
launch-vesting-unit = Напишите { $typed }, если вы это имеете в виду: числу нужна единица.
launch-vesting-no-number = Напишите долю, например 5%, или количество, например 5000000 tokens.
launch-vesting-too-much = Вместе с этим выходит { $sum } эмиссии. В вестинг можно отдать максимум { $max }.
launch-vesting-small = { $account } получит токенов: { $tokens } – это только { $percent } эмиссии ({ $supply }). Вы это имели в виду?
launch-vesting-meant = Да, всё верно

launch-beneficiaries = Доли комиссий
launch-beneficiaries-question = Поделиться с кем-нибудь торговыми комиссиями? { $own } всех торговых комиссий – ваши; доли других вычитаются из них. По одному на строке.
launch-beneficiaries-allowed = До { $max } адресов, у каждого своя доля; всего максимум { $own }.
launch-beneficiaries-form = По одному на строке: адрес и доля, например 0x… 35%
launch-beneficiaries-no-percent = Пишите долю со знаком процента, например 35%.
launch-beneficiaries-too-much = С этой долей выходит { $sum }. Отдать можно максимум { $max }.
launch-beneficiaries-over = Другие получили бы { $sum } торговых комиссий, а этот шаблон позволяет отдать максимум { $max }. Измените раздел комиссий.

launch-list-entry = Строка { $number }: { $problem }
launch-accounts-none = Отправьте хотя бы одну строку или пропустите.
launch-accounts-many = Максимум адресов – { $max }; вы прислали { $count }.
launch-accounts-twice = Этот адрес указан дважды. Оставьте один.
launch-accounts-no-value = Укажите после адреса, сколько он получит, например { $example }.
launch-account-zero = Это нулевой адрес: всё, что он получит, пропадёт. Отправьте другой адрес.
launch-tokens-no-number = Пишите количество токенов цифрами, например 1000000 tokens или 1.5M tokens.
launch-tokens-whole = Заблокировать можно только целые токены: пишите { $less } или { $more }, а не { $typed }.
launch-tokens-least = Заблокировать можно только целые токены: пишите не меньше { $more }, а не { $typed }.
launch-tokens-many = В метаданные можно записать максимум { $max } токенов.
launch-tokens-zero = Количество токенов должно быть больше 0.
launch-percent-no-number = Пишите процент цифрами, например 5% или 2.5%.
launch-percent-decimals = В проценте может быть максимум 16 знаков после точки.
launch-percent-whole = { $percent } от { $supply } токенов – не целое число токенов. Напишите другую долю или количество, например 5000000 tokens.
launch-percent-zero = Процент должен быть больше 0.
launch-percent-over = Процент не может быть больше 100%.

launch-text-empty = Используйте видимые символы.
launch-text-lines = Отправьте в одну строку, без переносов.
launch-text-tab = Там есть табуляция ({ $code }). Введите заново без неё.
launch-text-control = Там есть управляющий символ ({ $code }). Введите заново без него.
launch-text-direction = Там есть символ, меняющий направление письма ({ $code }). Введите заново без него.
launch-text-unseen = Там есть невидимый символ ({ $code }). Введите заново без него.
launch-text-accents = Там есть диакритические знаки без буквы или слишком много на одной букве. Уберите их.
launch-text-long = Максимум символов – { $max }; у вас { $count }.
launch-text-bytes = Это занимает слишком много места (больше { $max } байт). Уберите часть эмодзи.
launch-text-address = Это адрес. Адреса я спрошу позже.
launch-text-link = Это ссылка. Ссылки я спрошу позже.
launch-text-mixed = «{ $letter }» ({ $code }) – буква другого алфавита ({ $script }) в слове из латинских букв. Пишите каждое слово одним алфавитом.
secret-sent = ⚠️ Это похоже на приватный ключ или сид-фразу. Я не сохраняю такое. Переведите всё, что ими защищено, на новый кошелёк: любой, кто их видел, может забрать всё. Никогда и никому их не отправляйте: для запуска нужен только ваш адрес, а тот, кто просит больше, – мошенник.
secret-or-hash = ⚠️ Это приватный ключ, хеш транзакции или id пула: они выглядят одинаково, поэтому я не сохраняю такое. Если это ключ: сразу переведите всё, что им защищено, на новый кошелёк, любой, кто его видел, может забрать всё. Если хеш: ничего не потеряно, я сам найду ваш запуск, смотрите /launches. Если id пула: отправьте его с /auction.
# Above that, on Telegram: whether the bot could delete the message.
secret-deleted = 🗑️ Ваше сообщение удалено.
secret-delete = ⚠️ Удалите своё сообщение сейчас же: здесь у меня нет на это прав.

launch-saved = Сохранено: { $labels }.
launch-skipped = Пропущено: { $labels }. Добавить можно в обзоре.
launch-not-asked = для этого запуска не спрашивается, поэтому не учтено.
launch-mistyped = Ответа «{ $word }» нет. Может быть, «{ $near }»?
launch-all-answered = Ответы на всё есть. Подтвердите ниже или измените ответ.
launch-first-file-only = Взят только первый файл.
launch-caption-unused = Подпись к файлу не взята как ответ; отправьте её отдельно.
launch-concurrent-answer = Два ответа пришли одновременно, и этот не сохранился. Вот где вы сейчас; если он ещё нужен, отправьте его снова.
launch-metadata-about = Здесь логотип и метаданные загружаются, и вы получаете их адрес. Токен не запускается.
launch-resumed = Продолжаем ваш запуск ({ $since }).
launch-resumed-metadata = Продолжаем вашу загрузку ({ $since }).
launch-last-expired = Срок прошлого черновика истёк: последнее изменение – { $since }. Это новый.
launch-other-waits = Другой ваш запуск ждёт вашей подписи: смотрите /launches.
launch-nothing-to-cancel = Отменять нечего. /launches покажет ваши запуски, /launch начнёт новый.
launch-answered-already = На это уже есть ответ. /launch продолжит с того же места.
launch-answered-metadata = На это уже есть ответ. /metadata продолжит с того же места.
launch-closed-expired = Срок этого черновика истёк: неделя без изменений. /launch начнёт новый.
launch-closed-expired-metadata = Срок этого черновика истёк: неделя без изменений. /metadata начнёт новый.
launch-closed-uploaded = Уже загружено – смотрите /launches. /metadata начнёт новую загрузку.
launch-closed-built = Этот запуск уже собран – смотрите /launches.
launch-closed-gone = Этого запуска больше нет. /launch начнёт новый.
launch-closed-gone-metadata = Этой загрузки больше нет. /metadata начнёт новую.

launch-review = Обзор: { $token }
launch-review-cost = Стоимость: только газ, его платит ваш кошелёк. Бот ничего не берёт.
launch-review-confirm = Ничего не произойдёт, пока вы не подтвердите и не подпишете в своём кошельке. После подтверждения вы увидите по строкам, что транзакция делает на самом деле, и получите ссылку для подписи.
launch-review-confirm-file = Ничего не произойдёт, пока вы не подтвердите и не подпишете в своём кошельке. После подтверждения вы увидите по строкам, что транзакция делает на самом деле, и получите её файлом.
launch-review-announce = Когда запуск состоится, его можно анонсировать там, где вы начали.
launch-review-upload-cost = Это бесплатно: это загрузка, токен не запускается.
launch-review-upload = Ничего не загрузится, пока вы не нажмёте «Загрузить». После этого вы получите адрес метаданных.
launch-confirm = Подтвердить
launch-upload = Загрузить
launch-change = ✎ { $label }
launch-announce-on = 🔔 Анонс там: да
launch-announce-off = 🔕 Анонс там: нет
launch-announce-on-here = 🔔 Анонс в этом канале после запуска: да
launch-announce-off-here = 🔕 Анонс в этом канале после запуска: нет

launch-discard = Удалить этот черновик?
launch-discard-upload = Удалить эту загрузку?
launch-discard-about = Все ваши ответы тоже удалятся.
launch-discard-yes = Удалить
launch-discard-no = Продолжить
launch-discarded = Черновик удалён
launch-discarded-about = Ничего не запущено. /launch начнёт новый.
launch-discarded-upload = Ничего не загружено. /metadata начнёт новую загрузку.
launch-open-launch = У вас есть незаконченный черновик запуска
launch-open-upload = У вас есть незаконченная загрузка метаданных
launch-open-about = Начато { $since }. Сначала закончите или удалите: можно только по одному.
launch-open-about-named = { $name } – начато { $since }. Сначала закончите или удалите: можно только по одному.
launch-discard-it = Удалить

launch-step = { $mark } { $label }
launch-step-earlier = Прежняя транзакция
launch-step-metadata = Метаданные
launch-step-built = Транзакция
launch-step-check = Проверка
launch-step-not-launched = не запущено
launch-step-is-built = собрана
launch-step-failed = ошибка
launch-step-on-ipfs = уже в IPFS
launch-step-published = загружено в IPFS
launch-step-published-unchecked = загружено в IPFS; обратно не прочитано
launch-step-not-verified = не проверено
launch-step-not-passed = не пройдено
launch-step-read = прочитан каждый байт; без симуляции
launch-step-rehearsed = прочитан каждый байт, есть симуляция в сети
launch-step-called = прочитан каждый байт, есть пробный вызов в сети
launch-step-logo-gone = Ваш логотип больше не хранится. Отправьте его ещё раз: /launch.
launch-being-built = Уже собирается – ход виден в сообщении выше.
launch-unanswered = Ответы есть ещё не на всё. /launch продолжит с того же места.
launch-changed-since = После подтверждения ваши ответы изменились. /launch покажет их; подтвердите ещё раз.
launch-no-longer-built = Этот запуск больше не собирается. /launches покажет его, /launch начнёт новый.
launch-rebuild-waits = Его транзакцию ещё можно подписать. Сначала отмените тот запуск, иначе токен может запуститься дважды: смотрите /launches.
launch-rebuild-other-open = У вас открыт другой черновик. Закончите его в /launch или удалите: /cancel, потом соберите этот заново.
launch-earlier-unseen = Неизвестно, запустила ли прежняя транзакция токен.
launch-earlier-stands = По адресу токена уже есть контракт, но сам запуск пока не найден. Пока ничего нового не собирается, иначе токен может запуститься дважды. Посмотрите в /launches через несколько минут.
launch-earlier-pending = Транзакция для него уже отправлена: { $hash }. Дождитесь её, потом посмотрите в /launches.
launch-refused = Транзакция сделала бы не то, что нужно, поэтому вы её не получите: { $reason }.
launch-refused-listed = у поставщика данных уже есть токен по адресу { $token }
launch-mismatch = В транзакции не то, что должно быть, поэтому вы её не получите. Сообщите оператору.
launch-mismatch-values = должно быть { $expected }, а там { $found }
launch-template-fault = Дело в шаблоне: сообщите оператору.
launch-template-fault-choose = Дело в шаблоне: выберите другой или сообщите оператору.
launch-unverified-advice = Продолжайте, только если согласны со всем ниже и доверяете тому, кто ведёт шаблон. Пометка «Не проверено» останется.
launch-failed-bot = Это ошибка бота, а не ваша. Попробуйте чуть позже или сообщите оператору.
launch-api-unauthorised = Поставщик данных не принимает ключ этого бота. Исправить это должен оператор.
launch-api-forbidden = Поставщик данных отклоняет этот запрос. Разобраться должен оператор.
launch-api-blocked = Межсетевой экран перед поставщиком данных блокирует этого бота. Вы ни при чём. Попробуйте чуть позже.
launch-api-not-found = Поставщик данных не знает этого шаблона. Разобраться должен оператор.
launch-api-invalid = Поставщик данных не принимает эти ответы. Измените их или спросите оператора.
launch-api-invalid-words = Поставщик данных не принимает эти ответы: «{ $words }». Измените их или спросите оператора.
launch-api-busy = Поставщик данных перегружен. Попробуйте через минуту.
launch-api-unavailable = Поставщик данных не отвечает. Попробуйте чуть позже.
launch-api-malformed = Поставщик данных прислал что-то непригодное. Попробуйте чуть позже.
launch-ipfs-unavailable = Логотип не загрузился: сервис IPFS не отвечает. Попробуйте чуть позже.
launch-ipfs-other = Сервис IPFS сохранил не ваш логотип, поэтому всё остановлено. Разобраться должен оператор.
launch-ipfs-refused = Сервис IPFS не принимает ваш логотип. Разобраться должен оператор.
launch-node-unavailable = Нода сети не отвечает, поэтому симуляции не было. Попробуйте чуть позже.
launch-node-malformed = Нода сети прислала что-то непригодное. Попробуйте чуть позже.
launch-node-wrong-chain = Нода бота – в другой сети. Оператору нужно проверить RPC_URLS.
launch-change-answer = Изменить ответ
launch-change-vesting = Изменить вестинг
launch-change-fees = Изменить доли
launch-change-template = Другой шаблон
launch-build-again = Собрать заново
launch-build-anyway = Всё равно собрать
launch-unverified = Дальше без проверки
launch-my-launches = Мои запуски

launch-ready = Готово к подписи: { $token }
launch-not-verified = Не проверено: { $token }
launch-not-verified-advice = Подписывайте, только если доверяете тому, кто ведёт шаблон.
launch-reported = Для этого запуска уже сообщили о транзакции: { $hash }. Запустила ли она токен, мне не видно; сначала проверьте её в кошельке или эксплорере.
launch-reported-late = Для этого запуска сообщили о транзакции, когда ссылка уже истекла: { $hash }. Запустила ли она токен, мне не видно; сначала проверьте её в кошельке или эксплорере.
launch-no-page = У этого бота нет страницы подписи. Загрузите { $safe } в Safe → Transaction Builder или вставьте calldata из { $file } в кошелёк, который её принимает.
launch-link-none = Ссылки пока нет. Нажмите «Новая ссылка», чтобы её получить.
launch-link-expired = Ссылка истекла. Нажмите «Новая ссылка», чтобы получить другую.
launch-link-ends = Ссылка истекает { $end }.
launch-link-ends-with-payload = Ссылка истекает { $end }: после этого эта транзакция больше не сможет запустить токен.
launch-link-shown-once = Она показывается только один раз; «Новая ссылка» заменит её.
launch-link-is-new = Это новая ссылка. Прежняя больше не работает.
launch-notified-privately = Я напишу вам в личку, когда токен будет запущен – проверьте, что личка открыта.
launch-sign-only-on = Подписывайте только на { $host } и больше нигде.
launch-never-asks = Этот бот никогда не просит приватный ключ, сид-фразу или approve: сообщение в личке с такой просьбой – мошенничество.
launch-not-yours = Такого запуска у вас нет. Ваши – в /launches.

launch-sign = Подписать в кошельке
launch-new-link = Новая ссылка
launch-raw = Данные транзакции
launch-revoke = Отменить запуск…
launch-show = Показать запуск

launch-revoke-title = Отменить запуск { $token }?
launch-revoke-about = Ссылка сразу перестанет работать. Тот, у кого есть файл транзакции или страница подписи, открытая в кошельке, всё ещё сможет подписать: отозвать это невозможно. Я ещё неделю слежу и сообщу, если токен всё-таки запустят.
launch-revoke-yes = Отменить запуск
launch-revoke-no = Не отменять
launch-revoked = Отменено: { $token }
launch-revoked-link = Ссылка больше не работает.
launch-expired = Истекло: { $token }
launch-expired-unsigned = Никто не подписал вовремя.
launch-expired-reported = Подписать больше нельзя.
launch-ended-about = Тот, у кого есть файл транзакции, всё ещё может её подписать; я слежу ещё неделю. «Собрать заново» создаст новую транзакцию – для нового токена с другим адресом.
launch-unseen = Уже запущен? { $token }
launch-unseen-about = Если та транзакция пройдёт, токен запущен, а собранная заново запустит второй.
launch-unseen-unchecked = Проверить не получилось: эта сеть боту не видна.
launch-unseen-until = Сеть её не знает, но она ещё может быть в пути: подождите до { $until }, прежде чем собирать заново.

launch-raw-title = Данные транзакции: { $token }
launch-raw-to = Кому
launch-raw-value = Сумма
launch-raw-digest = Дайджест calldata
launch-raw-about = В первом файле – транзакция, её дайджест и всё, что в ней сказано. Второй – для Transaction Builder в Safe. Кто её подпишет, тот и запустит токен, поэтому не показывайте никому оба файла. Я слежу за сетью и сообщу, когда токен будет запущен.

launch-signer = Другой кошелёк хочет подписать { $token }
launch-signer-named = Вы указали
launch-signer-is = А это
launch-signer-about = Кто подписывает, тот платит газ; кто что получит, остаётся как вы задали. Если это не вы, откажите и отмените запуск.
launch-signer-waits = Хочет подписать другой кошелёк: { $account }
launch-signer-allow = Разрешить
launch-signer-refuse = Отказать
launch-signer-allow-account = Разрешить { $account }
launch-signer-refuse-account = Отказать { $account }
launch-signer-allowed = Подпись { $token } разрешена
launch-signer-allowed-about = Можно продолжить на странице подписи.
launch-signer-allowed-late = Ссылка истекла, подписать по ней больше ничего нельзя. Новая ссылка подойдёт и для этого кошелька.
launch-signer-refused = Подпись { $token } не разрешена
launch-signer-refused-about = На странице подписи на этом всё. Если вы никому не давали ссылку, отмените запуск.

launch-launched = 🚀 Запущен: { $token }
launch-launched-late = Транзакцию подписал тот, у кого она осталась, хотя срок уже вышел.
launch-not-listed-yet = Его карточка заработает, когда токен появится у поставщика данных.
launch-fees = 💰 Комиссии к получению: { $fees }
launch-fees-none = 💰 Комиссии к получению: пока нет
launch-fees-claim = Получить в эксплорере
launch-fees-how = подключите там { $account } и вызовите collectFees с
launch-pool = Пул
launch-transaction = Транзакция
launch-follow-own = 🔔 Следить за аукционом
launch-share-on = 📤 { $place }
launch-announce = 📣 Анонсировать…
launch-announce-command = Анонсировать запуск в чате или канале
launch-announce-launch = Запуск
launch-announce-title = Анонс: { $token }
launch-announce-about = Где? После подтверждения я опубликую там карточку.
launch-announce-none = Пока не знаю ни одного чата или канала, где есть я и где вы администратор.
launch-announce-elsewhere = Нет в списке? Отправьте { $command } в канале, которым управляете: анонс можно сделать прямо там.
launch-announce-other = Другой чат…
launch-announce-pick = Выберите канал или группу, которыми вы управляете.
launch-announce-in = Анонсировать { $token } в { $chat }?
launch-announce-what = Я опубликую там карточку с кнопками.
launch-announce-yes = 📣 Анонсировать
launch-announce-no = ◀ Другие чаты
launch-announced-in = 📣 Анонс опубликован в { $chat }: { $token }
launch-announce-again = Анонсировать ещё где-то
launch-announce-uncertain = Не знаю, дошло ли сообщение. Посмотрите там, прежде чем пробовать ещё раз.
launch-again = Ещё запуск с этими настройками
launch-again-about = У этого запуска настройки прошлого: всё, кроме названия, тикера, описания и логотипа. Изменить их можно в обзоре.
launch-reverted = Не запущен: { $token }
launch-reverted-about = Транзакция на { $chain } не прошла. Ничего не запущено, потрачен только газ. Попробуйте ещё раз; если снова не пройдёт, отмените этот запуск и соберите его заново.
launch-silence = Ваша ссылка истекла: { $token }
launch-silence-reported = О транзакции сообщили, но что с ней стало, мне не видно. Проверьте её в кошельке или эксплорере: если она прошла, всё готово.
launch-silence-unsigned = Насколько мне видно, ничего не подписано.
launch-silence-link = Новая ссылка откроет ту же транзакцию ещё на час.
launch-draft-expired = Срок черновика истёк: { $token }
launch-draft-expired-about = Вы не меняли его неделю. Ничего не запущено. /launch начнёт новый.

launch-list = Ваши запуски
launch-list-empty = Пока ни одного. /launch начнёт первый.
launch-list-next = Нажмите на один из них, чтобы продолжить.
launch-list-open = { $step }: { $token }
launch-list-draft = 📝 черновик, изменён { $since }
launch-list-launched = 🚀 запущен
launch-sale-raised = собрано { $raised }
launch-sale-missing = собрано { $raised }, до минимума не хватает { $missing }
launch-sale-reached = собрано { $raised }, минимум достигнут
launch-sale-starts = начнётся { $relative }
launch-sale-ends = закончится { $relative }
launch-sale-ended = закончился { $relative }
launch-list-uploaded = ✅ метаданные загружены
launch-list-ended = ⌛ истёк, изменён { $since }
launch-list-waits = ✍️ ждёт вашей подписи
launch-list-waits-link = ✍️ ждёт вашей подписи, ссылка истекает { $end }
launch-list-reported = ✍️ о транзакции сообщили
launch-list-reported-link = ✍️ о транзакции сообщили, ссылка истекает { $end }
launch-list-revoked = ⛔ отменён
launch-list-revoked-reported = ⛔ отменён, но о транзакции сообщили
launch-list-expired = ⌛ не подписан вовремя
launch-list-expired-reported = ⌛ истёк, но о транзакции сообщили
launch-list-resume = Продолжить
launch-list-show = Открыть
launch-list-begin = Начать новый
launch-list-sign = Подпись или отмена

## Launch: what a payload says, and whether it is verified

# Адреса и слова вроде «вы» стоят в именительном падеже: «5% → вы», «снять раньше может: вы». Время стоит после слова без
# предлога, которое подходит и к дате, и к «при запуске», и к «в далёком будущем»: «начало …», «конец …».
terms-first = Сначала посмотрите сюда
terms-group-supply = Токены
terms-group-price = Цена
terms-group-fees = Комиссии
terms-group-raised = После продажи
terms-group-control = Контроль
terms-group-cost = Расходы
terms-alarm = ⚠️ { $label }
verify-asked = { $does }. Вы просили: { $asked }
terms-sentences = { $first }. { $second }
terms-share = { $share } → { $account }
terms-percent = { $number }%
terms-more = ещё { $count }
terms-none = нет
terms-later = будет показано после «Подтвердить»
terms-tokens =
    { $count ->
        [one] { $amount } токен
        [few] { $amount } токена
        [many] { $amount } токенов
       *[other] { $amount } токена
    }
terms-tokens-share = { $tokens } ({ $share })

terms-you = вы
terms-nobody = никто (сжигание)
terms-burned = сожжённые токены
terms-dao = DAO токена
terms-contract = контракт запуска
terms-integrator = интегратор
terms-integrator-account = интегратор { $account }
terms-protocol = протокол
terms-protocol-account = протокол { $account }

terms-days =
    { $count ->
        [one] { $count } день
        [few] { $count } дня
        [many] { $count } дней
       *[other] { $count } дня
    }
terms-about-days =
    { $count ->
        [one] примерно { $count } день
        [few] примерно { $count } дня
        [many] примерно { $count } дней
       *[other] примерно { $count } дня
    }
terms-hours = { $count } ч
terms-minutes = { $count } мин
terms-seconds = { $count } сек
terms-blocks =
    { $count ->
        [one] { $count } блок
        [few] { $count } блока
        [many] { $count } блоков
       *[other] { $count } блока
    }
terms-thousands-of-years = тысячи лет
terms-far-future = в далёком будущем
terms-at-launch = при запуске
terms-after-build = через { $time } после подтверждения

terms-mark-same = ✓
terms-mark-same-simulated = ✓ симуляция
terms-mark-simulated = · симуляция
terms-marks = ✓ – как вы просили.
terms-marks-simulated = ✓ – как вы просили. Симуляция – пробный прогон в сети показал то же самое.
terms-marks-none = { $marks } Без отметки: шаблон здесь ничего не обещает.

terms-supply = Эмиссия
terms-supply-collectibles = { $tokens }, один коллекционный NFT на каждые { $unit }
terms-sale = Продаётся
terms-sale-share = { $share } эмиссии
terms-sale-tokens = { $tokens } ({ $share } эмиссии)
terms-sale-named = В запуске указано { $share }, но пул возьмёт не больше этого
terms-vesting = Вестинг
terms-vesting-none = нет
terms-vesting-line = { $what } → { $account }
terms-vesting-at-once = { $what } → { $account } (сразу)
terms-vesting-over = { $what } → { $account } (за { $time })
terms-vesting-cliff = { $what } → { $account } (за { $time }; клифф { $cliff }: до этого ничего)
terms-rest = Остаток эмиссии
terms-rest-none = ничего не остаётся
terms-rest-tokens = { $tokens } ({ $share }) → { $account }
terms-minting = Новые токены за год
terms-minting-never = задано { $share }, но начинается только после градуации, а этот токен её никогда не достигнет
terms-minting-later = до { $share } эмиссии после градуации → { $account }

terms-quote = Токен котировки
terms-quote-unknown = { $symbol } { $account }
terms-quote-launched = { $symbol }, токен, запущенный через этот сервис ({ $account })
terms-opening = Начальная цена
terms-opening-at = { $price } { $quote } за токен, { $cap }
terms-opening-buys = В начале за 1 { $quote } можно купить токенов: { $amount }
terms-cap = капитализация { $cap } { $quote }
terms-cap-dollars = капитализация { $cap } { $quote } (около { $dollars })
terms-cap-range = капитализация от { $lowest } до { $highest } { $quote }
terms-curve = Цена потом
terms-curve-rises = растёт, пока покупают, до { $price } { $quote } за токен, { $cap }
terms-curve-falls = падает, пока никто не покупает, до { $price } { $quote } за токен, { $cap }
# { $drawing }: a curve made of ▁▂▃▄▅▆▇█.
terms-curve-drawn = { $drawing } { $curve }
terms-curve-cost = Купить всё, что продаётся, стоит { $cost } { $quote }
terms-curve-open = { $share } продаётся дешевле { $price } { $quote } за токен, { $cap }; верхнего предела нет
terms-curve-open-cost = Купить столько стоит { $cost } { $quote }
terms-curve-unlimited = растёт, пока покупают; верхнего предела нет
terms-shape = Подробности кривой
terms-raise = Нужно собрать
terms-raise-any = любую сумму, минимума нет. Закончится досрочно при { $max } { $quote }
terms-raise-between = минимум { $min } { $quote }: если меньше, градуации не будет и покупатели смогут только продать обратно. Закончится досрочно при { $max } { $quote }
terms-trading = Торги
terms-trading-now = начало при запуске, без конца
terms-trading-from = начало { $start }, без конца
terms-trading-for = начало { $start }, максимум { $time }
terms-trading-until = начало { $start }, максимум { $time }, конец { $end }
terms-proceeds = Собранные деньги
terms-proceeds-stuck = навсегда останутся в аукционе: градуация этого токена невозможна, а торги прекратятся с концом аукциона
terms-proceeds-locked = навсегда останутся в пуле как ликвидность; градуации у этого токена нет
terms-proceeds-all = при градуации ({ $when }) всё станет ликвидностью на { $pool }
terms-proceeds-split = при градуации ({ $when }) { $share }, остальное станет ликвидностью на { $pool }
terms-proceeds-fail = Но это не сработает: когда всё продано, для нового пула не остаётся токенов, поэтому градуация невозможна
terms-graduates-at-end = когда аукцион закончится
terms-graduates-at-price = когда цена достигнет { $price } { $quote }
terms-liquidity = Ликвидность после градуации
terms-liquidity-locked = { $share } заблокировано навсегда
terms-liquidity-locked-for = { $share } заблокировано на { $time }, потом → { $account }

terms-trading-fee = Торговая комиссия
terms-fee-fixed = { $share } с каждой сделки
terms-fee-falls = сначала { $share } с каждой сделки, снижается до { $last } за { $time }
terms-fee-falls-from = сначала { $share } с каждой сделки, снижается до { $last } за { $time }, начало { $start }
terms-fee-snipers = { $share } в первую секунду, { $last } через { $seconds } с (против снайперов)
terms-hook-fee = Комиссия хука
terms-hook-takes = { $fee } сверх торговой комиссии. 5% из неё идёт протоколу. Остальное, если уплачено в токенах: { $tokens }; если уплачено в { $quote }: { $taken }
terms-hook-part = { $share } { $use }
terms-hook-to = → { $account }
terms-hook-swapped = обменивается на { $quote } → { $account }
terms-hook-buys = на покупку токенов → { $account }
terms-hook-liquidity = в ликвидность пула
terms-hook-beneficiaries = бенефициары хука
terms-hook-payees = Бенефициары хука: { $payees }
terms-hook-payees-rest = Что так использовать нельзя, получают: { $payees }
terms-hook-changed-by = Изменить, на что она идёт, может: { $account }
terms-shares = Кому торговые комиссии
terms-shares-of-nothing = никому: торговая комиссия – 0% (в контракте записано: { $shares })
terms-shares-none = не вам. После градуации 80–95% идёт интегратору и 5–20% протоколу
terms-shares-without-you = не вам: { $shares }
terms-integrator-label = Интегратор (приложение, через которое вы запускаете)
terms-later-fee = Комиссия после градуации
terms-later-fee-fixed = { $share } с каждой сделки, шаг тика { $spacing }
terms-later-fee-dynamic = сначала { $share } с каждой сделки (хук может изменить), шаг тика { $spacing }
terms-later-hook = Комиссия хука после градуации
terms-later-shares = Кому комиссии после градуации

terms-limit = Лимит на кошелёк
terms-limit-over = максимум { $tokens }, но лимит уже не действует
terms-limit-fixed = максимум { $tokens } (конец лимита { $end }); снять раньше не может никто
terms-limit-lifted = максимум { $tokens } (конец лимита { $end }); снять раньше может: { $account }
terms-limit-excluded = Не действует на вестинг и на эти адреса: { $accounts }
terms-governance = Управление
terms-governance-flag = нет (с флагом, который не читает ни один контракт: { $flag })
terms-governance-nobody = никто ничего решать не может
terms-governance-you = решаете только вы
terms-governance-account = решает только { $account }
terms-governance-dao = DAO, где голосуют держатели токена
terms-governance-named = DAO «{ $name }», где голосуют держатели токена
terms-governance-votes = Должно участвовать 8% эмиссии. { $proposers }, но не раньше 90 дней после запуска. Голосование начинается через { $delay }, длится { $period } и вступает в силу через день после конца
terms-governance-anybody = Предлагать может кто угодно
terms-governance-holders = Предлагать может тот, у кого есть { $tokens }
terms-owner = Владелец токена
terms-owner-contract = контракт запуска, навсегда: никто не может менять название, метаданные и правила
terms-owner-nobody = контракт запуска, а после градуации – никто
terms-owner-account = контракт запуска; после градуации – { $account } с правом менять метаданные и количество новых токенов
terms-owner-hooks = Управление может подключить другой хук, а тот может брать комиссию с каждой сделки
terms-contracts = Контракты
terms-idle = Задано, но ни на что не влияет
terms-binding = Кто может запустить
terms-binding-only = только { $account } (конец срока { $end }), как токен { $token }, с подписью оператора для { $hash }
terms-metadata = Метаданные в IPFS
terms-metadata-same = проверены, как вы ввели
terms-metadata-links = проверены, как вы ввели. Есть в них и ссылки, которых вы не давали, в полях { $fields }: другие приложения могут показать их
terms-metadata-unchecked = не проверены: { $why }
terms-metadata-field = { $name }: { $found } (вы ввели { $typed })
terms-picture = Логотип в IPFS
terms-picture-unread = загружен; обратно не прочитан, поэтому никто не проверил, что он ваш

terms-gas = Комиссия сети (газ)
terms-gas-units = около { $gas } газа, платит ваш кошелёк
terms-gas-fee = около { $fee } { $coin }, платит ваш кошелёк
terms-gas-dollars = около { $fee } { $coin } ({ $dollars }), платит ваш кошелёк
terms-gas-over = Нужно больше газа, чем можно одной транзакции (16,78 млн): сеть её отклонит

terms-simulation = В симуляции
terms-taken = забирает из вашего кошелька больше, чем комиссия сети
terms-stranger = Тоже получает токены
terms-stranger-gets = { $account }: { $tokens }

terms-chain = Сеть
verify-chain-named = { $chain } ({ $id })
verify-chain-testnet = { $chain } ({ $id }), ТЕСТНЕТ
terms-token = Адрес токена
terms-token-unknown = до запуска неизвестен
terms-contract-called = Контракт
verify-forwards = Передаёт дальше
terms-digest = Дайджест calldata
verify-not-compared = Не сравнивалось, потому что поставщик данных этого не повторил: { $fields }.
verify-not-simulated = Без симуляции: { $why }.
verify-would-pass = Сеть сейчас приняла бы транзакцию.
verify-bot-takes-nothing = Бот ничего не берёт.

terms-not-verified = Не проверено:
verify-doubts = { $doubts }.
verify-doubt-and = { $first }; { $next }
terms-why-unchecked = проверка не проводилась
terms-why-unsendable = на { $chain } не известен контракт, у которого есть { $entry }
terms-why-unpriced = цены неизвестны: нигде не сказано, сколько знаков после точки у токена котировки
terms-why-template = шаблон изменился
terms-quoted = «{ $label }»
terms-why-template-rows = шаблон изменился с тех пор, как оператор записал, что он делает: { $rows }
terms-why-different = «{ $row }» – не то, что вы просили
terms-why-metadata = метаданные в IPFS – не то, что вы ввели: { $names }
terms-why-simulation-row = симуляция показывает для «{ $row }» другое
terms-why-taken = в симуляции она забирает из вашего кошелька деньги, которых транзакция не отправляет
terms-why-stranger = в симуляции токены получает адрес, который в запуске не указан
terms-why-quote = покупатели платят токеном, которого этот бот не знает
terms-why-cap-dollar = капитализация в начале меньше доллара
terms-why-cap-thousandth = капитализация в начале меньше тысячной токена котировки
terms-why-cost-dollar = всё, что продаётся, стоит меньше доллара
terms-why-cost-thousandth = всё, что продаётся, стоит меньше тысячной токена котировки
terms-why-flat = цена почти не растёт, сколько бы ни покупали
terms-why-purchase = в той же транзакции она ещё и покупает токены: сколько платит, сколько и кому получает, не читается, и монеты с ней не отправляются
terms-why-stuck = собранное никогда не сможет покинуть аукцион
terms-why-never-graduates = градуация невозможна
terms-why-split = часть собранных денег идёт на адрес, который никто не указывал
terms-why-liquidity = ликвидность идёт на адрес, который никто не указывал
terms-why-vesting = вестинг длится больше четырёх лет
terms-why-rest = часть эмиссии идёт на адрес, который никто не указывал
terms-why-minting = потом могут быть выпущены новые токены
terms-why-minting-never = выпуск новых токенов задан, но никогда не начнётся
terms-why-limit-account = лимитом на кошелёк управляет адрес, который никто не указывал
terms-why-limit-low = кошелёк не может держать даже тысячную часть эмиссии
terms-why-limit-long = лимит на кошелёк длится больше года
terms-why-governance = решения принимает один адрес, который никто не указывал
terms-why-vote = голосования так коротки, что почти никто не успеет принять участие
terms-why-binding = запустить может только другой адрес
terms-why-fee = торговая комиссия больше 5%
terms-why-fees-together = комиссии пула и хука вместе больше 5%
terms-why-later-fee = комиссия после градуации больше 5%
terms-why-hook-fee = комиссия хука больше 5%
terms-why-hook-payees = то, что берёт хук, получает адрес, который никто не указывал
terms-why-hook-buyback = адрес, который никто не указывал, может забрать то, что берёт хук
terms-why-shares = комиссии получает адрес, который никто не указывал
terms-why-integrator = большую часть комиссий получает адрес, который никто не указывал

verify-step-done = готово
verify-step-running = идёт…
verify-step-to-come = дальше
verify-step-failed = ошибка
verify-building = Собирается: { $token }
verify-building-hint = Если здесь минуту ничего не меняется, отправьте { $command } и подтвердите ещё раз: ничего не сделается дважды.
verify-built = Собрано: { $token }
verify-not-built = Пока не собрано: { $token }
verify-uploaded = Загружено: { $token }
verify-uploaded-uri = Это URI токена. Ничего не запущено.
verify-too-many-active = Подписи ждут ваши запуски: { $count }, больше нельзя. Отмените один из них в /launches и продолжите здесь.

## Launch: why one is refused, or could not be checked

# Стоят после двоеточия: фразы без точки. { $detail } – по-английски.
refused-by-contract = контракт запуска её отклоняет: { $why }
refused-template = дело в шаблоне («{ $detail }»)
refused-vesting-one = вестинг одному получателю – { $amount }, а контракт разрешает не больше { $limit }
refused-vesting-all = вестинг всего – { $amount }, а контракт разрешает не больше { $limit }
refused-vesting-rest = вестинг всего – { $amount }: на продажу ничего не остаётся
refused-vesting-sale = вестинг и продажа вместе больше эмиссии
refused-vesting-length = вестинг должен длиться хотя бы день и не меньше своего клиффа
refused-vesting-none = вестинг не может быть нулевым или без получателя
refused-fees-no-protocol = нет доли комиссий, которая положена протоколу
refused-fees-protocol = доля протокола в комиссиях – { $given }, а контракт требует не меньше { $minimum }
refused-fees-protocol-low = доля протокола в комиссиях меньше, чем требует контракт
refused-fees-sum = доли комиссий или доли кривых не дают в сумме 100%
refused-fees-order = кто-то указан в долях комиссий дважды, или доли стоят не по порядку адресов
refused-fees-none = чья-то доля комиссий равна нулю
refused-limit-ends = лимит на кошелёк заканчивается раньше, чем начинается
refused-start-passed = время начала продажи уже прошло
refused-sale-ends = продажа заканчивается раньше, чем начинается
refused-not-started = до начала продажи торговать нельзя
refused-pool-exists = пул уже есть: возможно, токен уже запущен
refused-deployed = токен нельзя развернуть: возможно, он уже запущен
refused-ticker-reserved = тикер забронирован: за последние 24 часа с ним запустили другой токен
refused-ticker-letters = в тикере могут быть только буквы A–Z
refused-ticker-length = в тикере должно быть от 1 до 15 букв
refused-paused = контракт запуска приостановлен теми, кто им управляет
refused-unknown = неизвестная здесь ошибка { $error }
refused-fault = сбой в контракте, { $error }
refused-by-hook = хук отклоняет её без объяснений
refused-silent = причина не названа: скорее всего, данные пула не читаются и шаблон неисправен
refused-saying = «{ $text }»
refused-malformed = в симуляции она делает то, чего запуски не делают («{ $detail }»)
refused-other-token = она создала бы токен { $found }, а не { $expected }
refused-no-launcher = по адресу { $account } нет контракта запуска
refused-module = контракт запуска не знает { $account } как { $kind }
refused-exists = по адресу { $token } уже есть контракт
verify-called-lacks = У ноды нет eth_simulateV1: пробный вызов был, но кто что получает, не видно.
verify-called-fails = Нода не справилась с eth_simulateV1: пробный вызов был, но кто что получает, не видно.
verify-late-launcher = контракт принимает её так недолго, что никто не успеет подписать: соберите заново
verify-late-start = продажа начнётся раньше, чем кто-нибудь успеет подписать: оператору нужно задать шаблону более позднее начало
verify-no-node = для этой сети не настроена нода, поэтому проверен только calldata
verify-unreadable = такой вызов в calldata этот бот читать не умеет
metadata-no-reader = этому боту нечем читать IPFS
metadata-no-cid = { $uri } не указывает на файл в IPFS
metadata-late = IPFS не отдал их вовремя
metadata-large = IPFS отдал больше { $size } КиБ
metadata-refused = IPFS не может или не хочет их отдавать
metadata-other-bytes = IPFS отдал не те байты, на которые указывает CID
metadata-no-file = CID указывает не на файл
metadata-all = всё целиком
metadata-typed = метаданные токена
metadata-name = название
metadata-description = описание
metadata-picture = картинка
metadata-links = ссылки
metadata-vesting = вестинг
metadata-fee-receiver = получатель комиссий
metadata-categories = категории
metadata-nothing = ничего
metadata-missing = нет
metadata-not-text = байты, а не текст
metadata-not-object = не объект JSON: { $text }
metadata-deep = JSON со слишком большой вложенностью
metadata-twice = JSON, в котором поле указано дважды

## The signing page

sign-title = Подпись запуска · Gavel
sign-never = Эта страница никогда не просит approve, приватный ключ или сид-фразу. Тот, кто их просит, – мошенник.
sign-needs-javascript = Чтобы связаться с вашим кошельком, странице нужен JavaScript. Без него запросите данные транзакции в чате.
sign-value = Сумма: { $amount }.
sign-coins = { $amount } { $coin }
sign-expires = Ссылка истечёт через { $time }
sign-expires-hours = Ссылка истечёт через { $hours } ч { $minutes } мин
sign-way-sign = К подписи ↓
sign-way-help = Что делать ↓
sign-way-more = Ещё ↓
sign-way-transaction = К транзакции ↓
sign-no-wallet-here = Кошелька здесь нет
sign-to-chat = Вернуться в { $platform }
sign-token-testnet = Запуск токена на { $chain } · ТЕСТНЕТ

sign-token-on = Запуск токена на { $chain }
sign-picture = Логотип токена
sign-invisible = В названии или тикере есть невидимые символы, здесь они не показаны.
sign-if-you-know = Подписывайте, только если знаете, что делает эта транзакция.
sign-if-you-know-unread = Подписывайте, только если знаете, что делает эта транзакция: название и тикер – лишь то, что ввели в чате.
sign-passes = Сеть сейчас приняла бы транзакцию.
sign-fails = Сеть сейчас не приняла бы транзакцию.
sign-not-simulated = Без симуляции в сети.
sign-simulated-before-fails = Так было при сборке; сейчас сеть не приняла бы транзакцию.
sign-simulated-before = Так было при сборке; повторить симуляцию сейчас не получилось.
sign-does = Что делает
sign-asked = Вы просили
sign-who = Кто и где
sign-you = «вы» в этой таблице
sign-wallet = Кошелёк
sign-chain-named = { $chain } (chain ID { $id })
sign-simulation = Симуляция
sign-simulation-failed = не прошла: { $why }
sign-whole = Дайджест и calldata целиком
sign-compare = В чате те же символы дайджеста. Сравните их.
sign-metadata = Метаданные
sign-calldata = Calldata ({ $bytes } байт)

sign-loading = Загрузка…
sign-again = Попробовать снова
sign-no-link = Такой ссылки нет
sign-no-answer = Нет ответа

sign-blocked = Не подписывайте
sign-blocked-why = То, что эта страница прочитала в транзакции, не совпадает с тем, что сообщил бот:
sign-blocked-next = Подпись заблокирована. Вернитесь в чат, отправьте /launches и отмените этот запуск.
sign-fault = { $what }: в транзакции «{ $here }», бот сообщил «{ $stated }».
sign-fault-value = Сумма
sign-fault-name = Название
sign-fault-symbol = Тикер
sign-fault-verified = Бот сообщил, что всё проверено, но { $doubt }.
sign-doubt-said = так сказал бот в чате
sign-failing = Сейчас транзакция не пройдёт
sign-failing-why = Симуляция не прошла: { $why }
sign-no-reason = причина не указана.
sign-sentence = { $text }.
sign-failing-blocked = Подпись заблокирована: вы заплатили бы комиссию сети впустую.
sign-failing-next = Если так и будет, вернитесь в чат, отправьте /launches и соберите запуск заново.
sign-check = Проверить снова
sign-checking = Проверяется…

sign-nowhere = В этом браузере нет кошелька
sign-nowhere-next = Откройте эту страницу там, где ваш кошелёк. Ссылка та же самая.
sign-connect-title = Подключите кошелёк
sign-connect-safe = При подключении странице виден только ваш адрес.
sign-elsewhere = Подписать в другом месте
sign-in-wallet = Подтвердите в кошельке
sign-in-wallet-busy = Подтвердите в кошельке…
sign-disconnected = Кошелёк не подключён
sign-disconnected-why = Кошелёк спросит, можно ли этой странице видеть ваш адрес. Ничего другого это не разрешает.
sign-connect = Подключить
sign-no-window = Нет окна? Откройте кошелёк сами. Чтобы выбрать другой кошелёк, перезагрузите страницу.
sign-other-wallet = Другой кошелёк
sign-switch-account = Сменить аккаунт

sign-wrong-account = Подключён не тот кошелёк
sign-wrong-account-why = Этот запуск подготовлен для { $expected }. Вы подключили { $connected }. Если сменить кошелёк, токен и условия останутся прежними.
sign-prepared-for = Подготовлен для
sign-connected = Подключён
sign-ask = Попросить разрешение
sign-ask-about = Создателя спросят в личном чате с ботом, можно ли подписать этим кошельком.
sign-asking = Запрашиваем…
sign-asked-title = Ждём создателя
sign-asked-about = Создателя спросили в личном чате с ботом, можно ли подписать этим кошельком.
sign-asked-quietly = О слишком многих кошельках уже спрашивали, поэтому об этом бот не напишет. Скажите создателю отправить /launches в личный чат с ботом: там этот кошелёк можно разрешить.
sign-asked-by-itself = Страница продолжит сама.
sign-asked-looking = Ждём ответа…
sign-refused = Создатель отказал
sign-refused-about = Этим кошельком подписать нельзя. Переключитесь на тот, для которого подготовлен запуск.
sign-ask-again = Спросить ещё раз
sign-ask-again-about = Если это ошибка, создателя можно спросить ещё один раз.
sign-ask-no-more = Создателя уже несколько раз спрашивали об этом кошельке, больше спрашивать не будем.
sign-switch-chain = Перейти в { $chain }
sign-switch-chain-about = Ваш кошелёк – в другой сети. Этот запуск – на { $chain }.

sign-ready = Готово к подписи
sign-not-verified = Не проверено
sign-ready-about = Сравните дайджест с тем, что в чате, потом подписывайте. Кошелёк ещё раз покажет транзакцию.
sign-signs-with = Подписывает { $wallet }
sign-a-wallet = ваш кошелёк
sign-and-launch = Подписать и запустить
sign-no-window-signing = Нет окна? Откройте кошелёк сами: запрос ждёт там. Чтобы начать заново, перезагрузите страницу.
sign-cost = Вы платите комиссию сети. Монет транзакция не отправляет.
sign-cost-verified = Вы платите комиссию сети. Транзакция не отправляет монет и не даёт никаких разрешений (approve).

sign-pending = Отправлено – ждём подтверждения
sign-pending-about = Страницу можно закрыть. Бот сообщит в чате, когда ваш токен будет запущен.
sign-missing = Транзакция не найдена
sign-missing-about = Возможно, она отброшена или заменена в вашем кошельке (ускорена или отменена). Кошелёк с несколькими подписантами, например Safe, может ещё собирать подписи.
sign-look = Посмотреть снова
sign-send-again = Отправить снова
sign-send-again-safe = Повторная отправка не запустит токен дважды: вторая транзакция не пройдёт.
sign-send-again-unsafe = Это не проверено: повторная отправка может сделать всё ещё раз. Сначала проверьте кошелёк.
sign-reverted = Транзакция не прошла
sign-reverted-about = Потрачена комиссия сети, ничего не запущено. Возможно, запуск устарел: вернитесь в чат, отправьте /launches и соберите его заново.
sign-empty = Ничего не запущено
sign-empty-about = Транзакция прошла, но не создала этот токен. Проверьте её в кошельке и отправьте /launches в чат.
sign-transaction = Транзакция
sign-see-transaction = Открыть транзакцию
sign-launched = Запущен
sign-launched-about = Ваш токен запущен. Его карточка – у бота в чате.
sign-see-token = Открыть токен
sign-replaced = Эта ссылка заменена или отменена
sign-replaced-about = Подписать по ней больше нельзя. Новая ссылка – в последнем сообщении чата и в /launches.
sign-expired = Эта ссылка истекла
sign-expired-about = Ссылки работают недолго. Вернитесь в чат и отправьте /launches: там ваш запуск и новая ссылка.
sign-revoked = Этот запуск отменён
sign-revoked-about = Подписать по этой ссылке больше нельзя. Вернитесь в чат и отправьте /launches: там ваш запуск и что с ним можно сделать.
sign-sent-before = Отправленное раньше остаётся отправленным. Бот следит за этим и сообщит в чате.

sign-open-in = Открыть в { $wallet }
sign-phone = С кошельком на телефоне
sign-phone-about = На телефоне они открывают эту страницу в браузере самого кошелька.
sign-device = На другом устройстве
sign-device-about = Отсканируйте этот код там или скопируйте ссылку в браузер, где есть ваш кошелёк.
sign-qr = QR-код со ссылкой на эту страницу
sign-copy = Скопировать ссылку
sign-copied = Скопировано. Любой, у кого есть эта ссылка, видит ваш запуск: никому её не давайте.
sign-not-copied = Браузер не разрешил скопировать. Скопируйте ссылку отсюда:
sign-link = Ссылка на эту страницу
sign-without = Без этой страницы
sign-without-about = Вернитесь в чат и нажмите «Данные транзакции»: вы получите файл с транзакцией и ещё один для Safe.
sign-unnamed-wallet = Кошелёк без названия
sign-browser-wallet = Кошелёк в браузере

sign-next-connect = Когда будете готовы, снова нажмите «Подключить».
sign-next-account = Сменить аккаунт можно и в самом кошельке.
sign-next-chain = Сменить сеть можно и в самом кошельке.
sign-next-button = Нажмите кнопку ещё раз.
sign-next-check = Нажмите «Проверить снова» ещё раз.
sign-next-sign = Когда будете готовы, снова нажмите «Подписать и запустить».
sign-page-fault = На этой странице что-то пошло не так. Перезагрузите её. { $next }
sign-link-fault = { $fault } { $next }
sign-link-unknown = Такой ссылки для подписи нет: возможно, она заменена или отменена. Вернитесь в чат и отправьте /launches, чтобы получить новую.
sign-link-busy = Слишком много запросов. Подождите минуту.
sign-link-unreachable = Бот недоступен, ничего не отправлено. Проверьте соединение.
sign-unreachable = Бот сейчас недоступен. Страница продолжает пытаться.
sign-unreachable-sent = Бот сейчас недоступен. Ваша транзакция всё равно уже отправлена.
sign-other-tab = Кошелька ждёт другая вкладка. Ответьте там или закройте её, потом снова нажмите «Подписать и запустить».
sign-sent-elsewhere = Отсюда ничего не отправлено: другая страница с этой ссылкой уже отправила.
sign-changed = Ничего не отправлено: прямо перед этим что-то изменилось. Смотрите ниже.
sign-asked-too-soon = Создателя спросили только что. Спросить снова можно через { $seconds } сек.
sign-wallet-refused = Запрос отклонён в кошельке. Ничего не отправлено. { $next }
sign-wallet-pending = Кошелёк ещё ждёт прежнего ответа. Откройте его, ответьте и вернитесь. { $next }
sign-wallet-unauthorised = Кошелёк больше не показывает странице свой адрес. Подключите его снова.
sign-wallet-chain = Ваш кошелёк не знает { $chain }. Добавьте сеть вручную в разделе «Сети»: chain ID { $id }, монета { $coin }. Потом перейдите в неё в кошельке.
sign-wallet-chain-rpc = Ваш кошелёк не знает { $chain }. Добавьте сеть вручную в разделе «Сети»: chain ID { $id }, монета { $coin }, RPC { $rpc }. Потом перейдите в неё в кошельке.
sign-wallet-funds = В этом кошельке не хватает { $coin } на { $chain } для этой транзакции. Сначала пополните его: нужно больше { $coin }. { $next }
sign-wallet-disconnected = У кошелька нет соединения. Проверьте его и вернитесь. { $next }
sign-wallet-no-hash = Кошелёк не сообщил транзакцию. Сначала проверьте его историю: он мог её всё равно отправить.
sign-wallet-other = Кошелёк этого не сделал и не назвал причину. Проверьте его. { $next }
sign-wallet-says = Кошелёк этого не сделал. Он сообщает: «{ $reason }» { $next }

signing-unknown = Такой ссылки для подписи нет. Вернитесь в чат и отправьте /launches: там будет новая ссылка.
signing-expired = Срок ссылки истёк. Вернитесь в чат и отправьте /launches, чтобы получить новую.
signing-revoked = Этот запуск отменён. Вернитесь в чат и отправьте /launches, чтобы узнать, что можно сделать.
signing-many = Слишком много запросов. Подождите минуту и попробуйте снова.
signing-failed = Что-то пошло не так. Подождите немного и попробуйте снова.
