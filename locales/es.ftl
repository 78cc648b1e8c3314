# Los textos de Gavel en español. Lo que falta se muestra en inglés. Cómo traducir: docs/contributing.md.
# Palabras: auction subasta · upcoming próxima, “Próximamente” como estado · live en curso · graduated graduado ·
# raised recaudado · quote token token de cotización · alert alerta · launch lanzamiento · draft borrador · wallet la wallet ·
# fees comisiones · market cap el market cap · chain red · build preparar · follow seguir · discard descartar · expire expirar.

## Commands and platforms

# 120 caracteres como máximo.
profile-short = Busca, sigue y lanza tokens en subasta. Alertas para ti, tu grupo o tu canal.
# 512 caracteres como máximo.
profile-description =
    Encuentra, sigue y lanza tokens en subasta.

    🔎 Envía un nombre, un $ticker o la dirección de un contrato
    🔔 Alertas para ti, tu grupo o tu canal
    🚀 Lanza un token y fírmalo en tu propia wallet

    Nunca te pediré tu frase semilla ni tu clave privada.

command-needs = { $command } necesita: { $what }. Por ejemplo: { $example }
command-option-refused = { $option } { $why }
command-no-values = Envía solo { $command }: te iré preguntando los detalles.
command-value-twice = { $option } está dos veces: como “{ $typed }” y por su nombre. Ponlo una sola vez.
command-option-twice = { $option } está dos veces. Ponlo una sola vez.
command-option-empty = { $option } necesita un valor.
command-takes-no-options = { $command } no tiene la opción “{ $option }”: no admite ninguna. Para usar el texto tal cual, ponlo entre "comillas dobles".
command-option-unknown = { $command } no tiene la opción “{ $option }”. Admite { $options }. Para usar el texto tal cual, ponlo entre "comillas dobles".
command-option-misspelt = { $command } no tiene la opción “{ $option }”. ¿Querías decir { $meant }? Admite { $options }. Para usar el texto tal cual, ponlo entre "comillas dobles".
command-unknown = No existe el comando /{ $name }. Mira { $help }.
command-misspelt = No existe el comando /{ $name }. ¿Querías decir { $meant }? Mira { $help }.
command-text-empty = Escribe qué quieres buscar, por ejemplo { $example }.
command-text-too-long = Es demasiado largo: { $length } caracteres; el máximo es { $max }.
command-number-range = “{ $typed }” no es un número entero de { $min } a { $max }.
command-choice-unknown = “{ $typed }” no existe. Usa { $choices }.
command-line-too-long = Es demasiado largo. Un comando tiene { $max } caracteres como máximo.
command-answered = Esto ya se respondió.
flood-group = Aquí son muchos mensajes de golpe. Escríbeme en privado o espera { $seconds } s.
flood-person = Son muchos mensajes a la vez. Espera { $seconds } s y vuelve a enviarlo.
blocked-notice = Ya no puedes usar este bot: su operador te ha bloqueado. No recibirás más mensajes sobre esto.
announcement-title = 📣 Del operador de este bot

view-shortened = Recortado: hay más de lo que cabe aquí.
view-open-one = Abre uno
private-invitation = Sigamos en nuestro chat privado, para que solo lo veas tú.
private-open = Abrir chat privado
linked-title = ¿Quieres hacer esto?
linked-what = El enlace que abriste cambia algo. Ejecutaría:
linked-ignore = Si no era tu intención, no hagas nada.
linked-confirm = Hacerlo
file-too-big = El archivo es demasiado grande. Envía uno de { $limit } como máximo.
file-not-given = { $platform } no me entregó el archivo. Envíalo de nuevo.
telegram-unchanged = No ha cambiado nada.
telegram-unchangeable = Este mensaje ya no se puede modificar.
telegram-picker = Elige con los botones que hay debajo del campo de mensaje.
telegram-picked = Elegido.
buttons-too-old = Estos botones son demasiado antiguos. Envía el comando de nuevo.
form-too-old = Este formulario es demasiado antiguo. Envía el comando de nuevo.
form-too-slow = Tardó demasiado. Pulsa el botón otra vez.
# 64 caracteres como máximo.
telegram-inline-ask = Escribe un nombre, un ticker o una dirección
telegram-inline-none = No hay resultados. Explora en el chat
discord-form-too-long = Es demasiado largo. Abre el formulario otra vez y escribe menos.
settings-about = Idioma y horas de silencio
settings-title = Ajustes
settings-title-chat = Ajustes de aquí
settings-language = Idioma
settings-language-about = El idioma de mis respuestas y alertas aquí
settings-language-auto = Automático
settings-language-hint = Automático: tu idioma en Telegram o Discord. Las alertas usan el de la persona que las configuró.
settings-on = Activado
settings-off = Desactivado
settings-quiet = Horas de silencio
settings-quiet-about = Horas en que las alertas esperan, u off
settings-quiet-hours = { $hours } ({ $zone })
settings-quiet-off = 🌙 { settings-off }
settings-quiet-hint = En las horas de silencio las alertas se acumulan y llegan juntas al final, sin lo que ya terminó. El resumen diario mantiene su hora. Tus propias horas: { $line }
settings-quiet-unreadable = “{ $typed }” no es un intervalo de horas. Escribe { $example } o { $off }.
settings-zone-about = Zona horaria de las horas de silencio
settings-cards = Fichas para direcciones y $tickers
settings-cards-about = Responder con fichas a las direcciones y los $tickers de este grupo
settings-cards-hint = De cada token sale una ficha por minuto como máximo. Solo veo lo que se escribe aquí si soy administrador o si mi modo de privacidad está desactivado.
settings-cards-where = Eso es para grupos de Telegram. Envíalo en uno.
settings-cards-turn-on = Activar fichas
settings-cards-turn-off = Desactivar fichas
address-start = Una dirección empieza por 0x, seguido de 40 caracteres.
address-digits = Después de 0x, una dirección solo tiene dígitos del 0 al 9 y letras de la a a la f.
address-length = Una dirección tiene 40 caracteres después de 0x; esta tiene { $length }. Cópiala entera otra vez.
address-checksum = Las mayúsculas de esta dirección no coinciden con su suma de verificación: lo más probable es que haya un carácter mal. Cópiala otra vez. Si no tienes dudas de que es correcta, escríbela en minúsculas.

# Names such as ada.eth instead of addresses. `$account` is an address of 42 characters.
# `$allowed` is what an address looks like, a sentence.
name-allowed = { $allowed } O un nombre, como { $example }.
name-is = { $name } es { $account }. Se usa esta dirección, aunque el nombre cambie después.
name-is-odd = { $name } es { $account }. Se usa esta dirección, aunque el nombre cambie después. ⚠️ El nombre no está escrito solo con letras a–z: comprueba la dirección.
name-account = { $name } ({ $account })
name-no-node = No puedo buscar { $name }: este bot no está conectado a { $chain }. Envía la dirección (0x…).
name-unavailable = Ahora mismo no pude buscar { $name }. Inténtalo en un minuto o envía la dirección (0x…).
name-ending = No puedo buscar { $name }: solo nombres que terminan en .eth. Envía la dirección (0x…).
name-invalid = { $name } no es un nombre válido y podría imitar a otro. Escríbelo tú de nuevo o envía la dirección (0x…).
name-other-form = { $name } no está escrito como se escriben los nombres. Si te refieres a { $normal }, envía eso, o envía la dirección (0x…).
name-unknown = No encontré ninguna dirección para { $name }. Revisa cómo se escribe o envía la dirección (0x…).
name-offchain = { $name } está en un servidor fuera de la cadena y no puedo comprobarlo. Envía la dirección (0x…).
# `$from` and `$chain` are chains, such as Ethereum.
name-contract = { $name } es un contrato en { $from } y puede que no exista en { $chain }: lo que envíes allí podría perderse. Envía la dirección para { $chain } (0x…).

## Assets: cards, lists, search, /start, /help

inline-worth = { $price } · Market cap { $cap } · { $where }
inline-worth-price = { $price } · { $where }
inline-worth-cap = Market cap { $cap } · { $where }
token-unnamed = Sin nombre
token-unnamed-with-symbol = Sin nombre { $symbol }
money-in-token = { $amount } { $symbol }

status-live = 🟢 En curso
status-upcoming = 🕒 Próximamente
status-graduated = 🎓 Graduado
status-failed = ⏸️ Terminó sin graduarse
status-ended = ⏹️ Terminó
status-fake = 🔴 Falso
status-live-word = En curso
status-upcoming-word = Próximamente
status-graduated-word = Graduado
status-failed-word = Terminó sin graduarse
status-ended-word = Terminó
status-fake-word = Falso
status-as-reported = { $status } ({ $reported })
chain-testnet = { $name } (TESTNET)
list-testnet = TESTNET
asset-where = { $chain } · { $status }

asset-price = Precio
asset-priced-in = Precio en { $symbol }
asset-market-cap = Market cap
asset-liquidity = Liquidez
asset-volume-24h = Volumen (24 h)
asset-raised = Recaudado
asset-sold = Vendido
# El tiempo que sigue es relativo: “Empieza: en 2 horas”, “Inicio: hace 2 horas”.
asset-starts = Empieza
asset-start = Inicio
asset-ends = Termina
asset-ended = Terminó
asset-created = Creado
asset-creator = Creador
asset-fee-receiver = Comisiones para
asset-vesting = Vesting
asset-categories = Categorías
field = { $label }: { $value }
field-label = { $label }:
asset-mc = MC { $amount }
asset-starts-when = Empieza { $relative } · { $date }
asset-started-when = Empezó { $relative } · { $date }
asset-ends-when = Termina { $relative } · { $date }
asset-ended-when = Terminó { $relative } · { $date }
asset-change-24h = { $change } (24 h)
asset-share-sold = { $share } vendido
asset-sold-of = { $sold } de { $total }
asset-raised-min-max = { $raised } (mín. { $min }, máx. { $max })
asset-raised-min = { $raised } (mín. { $min })
asset-raised-max = { $raised } (máx. { $max })
asset-graduated-on-to = Graduado el { $date } → pool { $pool }
asset-graduated-on = Graduado el { $date }
asset-graduated-to = Graduado → pool { $pool }
asset-graduated = Graduado
asset-vesting-share = { $share }% para { $who }
risk-fake = 🔴 Falso: según el proveedor de datos, no es el token que parece.
risk-fake-why = 🔴 Falso: { $why }
risk-first = Primer token del creador
risk-others = { $count ->
    [one] Creador: { $count } token más
   *[other] Creador: { $count } tokens más
  }
risk-others-at-least = Creador: al menos { $count } tokens más
risk-graduated = { $count ->
    [one] { $count } graduado
   *[other] { $count } graduados
  }
risk-failed = { $count ->
    [one] { $count } fallido
   *[other] { $count } fallidos
  }
risk-vested = { $share }% en vesting
risk-vested-own = { $share }% en vesting ({ $own }% para el creador)
risk-alike = { $count ->
    [one] ⚠️ Hay otro token llamado { $symbol }
   *[other] ⚠️ Hay otros { $count } tokens llamados { $symbol }
  }
risk-alike-at-least = ⚠️ Hay al menos otros { $count } tokens llamados { $symbol }

card-starts = Empieza: { $when }
card-ends = Termina: { $when }
card-ended = Terminó: { $when }
card-graduated = Graduado: { $when }
card-gone = Ya no aparece
card-not-graduated = Sin graduarse
card-in-a-day = en 24 h
card-over-minutes = en { $count } min
card-over-hours = en { $count } h
card-over-days = { $count ->
    [one] en { $count } día
   *[other] en { $count } días
  }
list-priced-in = en { $symbol }
list-more = { $count } más
data-stale = Sin conexión con el proveedor de datos: se muestran datos de { $when }.

asset-button-copy = 📋 Copiar dirección
asset-button-details = Detalles
# Botones: unos 20 caracteres como máximo.
asset-button-refresh = Actualizar
asset-button-auction = Subasta
asset-button-asset = Token
asset-button-card = Ficha
asset-button-alerts = 🔔 Alertas
asset-button-explorer = Explorador
asset-button-pool = Pool

auction-title = Subasta de { $name }
auction-sells = Vende
auction-sold-for = Se paga en
auction-token = Token
auction-quote-token = Token de cotización
auction-pool-id = ID del pool

lookalike-letters = ⚠️ Escrito con letras parecidas: se lee como { $like }, pero no lo es.
lookalike-same = ⚠️ Se llama como { $like }, una moneda conocida. Comprueba la dirección: puede ser otro token.
lookalike-link = ⚠️ Su nombre parece un enlace ({ $link }). No lo abras.
# $script: nombre de un alfabeto, en inglés.
lookalike-mixed = ⚠️ Mezcla letras latinas con otras ({ $script }): puede hacerse pasar por otro nombre.
lookalike-own-letters = “{ $name }” está escrito con letras parecidas: se lee como { $like }, una moneda conocida, pero no lo es. La gente verá una advertencia.
lookalike-own-same = “{ $name }” es el nombre de una moneda conocida. La gente puede confundirlas y verá una advertencia.
lookalike-own-link = “{ $name }” parece un enlace ({ $link }). La gente verá una advertencia.
lookalike-own-mixed = “{ $name }” mezcla letras latinas con otras ({ $script }). La gente verá una advertencia.
script-cyrillic = cirílico
script-greek = griego
script-armenian = armenio
script-cherokee = cheroqui
script-coptic = copto
script-lisu = lisu

# 100 caracteres como máximo.
search-about = Buscar tokens por nombre, ticker o dirección
asset-about = Ver la ficha de un token
asset-ask = ¿Qué token? Responde con su nombre, ticker o dirección.
assets-about = Listar tokens: subastas en curso, próximas o graduadas
auction-about = Ver la subasta de un token
start-about = Empezar aquí
help-about = Todos los comandos

start-title = Gavel: subastas de tokens
start-text = Busca, sigue y lanza tokens en subasta.
start-send-name = 🔎 Envía un nombre, un $ticker o la dirección de un contrato y te muestro su ficha
start-search = 🔎 { $command }: busca un token por nombre, $ticker o dirección
start-alerts = 🔔 { $command }: recibe avisos de subastas y precios
start-launch = 🚀 { $command }: lanza tu propio token
start-never-asks = Solo te escribo por privado con las alertas que tú activaste. Nunca te pediré tu frase semilla ni tu clave privada.
start-button-launch = 🚀 Lanzar un token
start-button-live = 🟢 Subastas
start-button-newest = 🆕 Recientes
start-button-alerts = 🔔 Alertas
start-button-help = ❔ Ayuda
start-button-group = ➕ Añadir a grupo
start-button-channel = 📣 Añadir a canal
start-button-server = ➕ Añadir a un servidor

welcome-title = Hola, soy Gavel
welcome-text = Publico sobre tokens en subasta. ¿Qué debo publicar aquí?
welcome-later = { $managers } { $command } lo muestra y lo cambia en cualquier momento.
welcome-button-auctions = 🔔 Subastas nuevas y graduadas en { $chain }
welcome-button-new = 🔔 Subastas nuevas en { $chain }
welcome-button-creator = 🔔 Todo lo que lance un creador…
welcome-button-more = Más alertas…

help-title = Comandos
help-command = El comando que quieres que te explique
help-all-commands = ◀ Todos los comandos
help-just-send = O simplemente envíame un nombre, un $ticker o la dirección de un contrato.
help-options = Las opciones llevan su nombre, en cualquier orden: { $example }. Más sobre un comando: { $help }
help-more = Más sobre un comando: { $help }
help-example = Ejemplo: { $line }
help-option-needed-of = { $about }: { $choices } (obligatorio)
help-option-of = { $about }: { $choices }
help-option-needed = { $about } (obligatorio)

assets-all = Todos
assets-title-all = Tokens en { $chain }
assets-title-live = Subastas en curso en { $chain }
assets-title-upcoming = Próximas subastas en { $chain }
assets-title-graduated = Tokens graduados en { $chain }
assets-none = Aún no hay tokens en { $chain }.
assets-none-live = Ahora no hay subastas en curso en { $chain }.
assets-none-upcoming = Ahora no hay próximas subastas en { $chain }.
assets-none-graduated = Aún no hay tokens graduados en { $chain }.
assets-never-graduate = Los tokens de { $chain } no se gradúan.
assets-none-with-filters = Nada coincide en { $chain }. Quita algún filtro.
chosen = • { $label }
order-market-cap-highest = Market cap, de mayor a menor
order-market-cap-lowest = Market cap, de menor a mayor
order-volume-highest = Volumen, de mayor a menor
order-volume-lowest = Volumen, de menor a mayor
order-button-newest = Recientes
order-button-market-cap = MC
order-button-volume = Volumen

search-title = Búsqueda: { $term }
search-title-on = Búsqueda: { $term } en { $chain }
search-none = No hay ningún token llamado “{ $term }” en { $chains }. Prueba con parte del nombre o con su ticker.
search-none-and = { $nothing } { $ignored }
search-none-on-mainnets = { $nothing } Para una testnet, añade { $chain }.
search-near = No hay ningún token llamado “{ $term }” en { $chains }. ¿Querías decir uno de estos?
chain-ignored = El proveedor de datos envía tokens de { $home } cuando se le pide { $chains }, así que no puedo mostrar ninguno.
asset-which = ¿Qué { $term }?
asset-did-you-mean = ¿Querías decir uno de estos?
asset-none = No hay ningún token con la dirección { $address } en { $chains }.
auction-none = No hay ningún pool de subasta { $pool } en { $chains }. Mira las subastas en { $live }.
auction-none-of = { $name } no tiene ningún pool de subasta.
pool-shared = { $address } es un contrato que comparten todas las subastas de su red, así que no designa ninguna. Indica el token: su ticker, nombre o dirección.

# 100 caracteres como máximo.
param-chain = Red
param-chain-unknown = “{ $typed }” no es una red de este bot. Usa { $chains }.
quote-token-unknown = No conozco ningún token de cotización “{ $typed }” en { $chains }. Conozco { $known }. Indica cualquier otro por su dirección (0x…).
quote-token-near = No conozco ningún token de cotización “{ $typed }” en { $chains }. ¿Querías decir { $near }? Si no lo conozco, indica su dirección (0x…).
quote-token-elsewhere = “{ $typed }” es un token de cotización en { $chain }, no en { $chains }. Añade { $option }.
quote-token-alike = “{ $typed }” puede ser más de un token en { $chain }: { $tokens }. Indica por su dirección (0x…) el que quieras.
param-category = Solo esta categoría
param-limit = Cuántos como máximo, de 1 a { $max }
param-page = Número de página
param-asset = Nombre, ticker o dirección
param-show = Mostrarlo todo de una vez
param-status = Qué tokens
param-order = Ordenar por; si no se indica, los más recientes primero
param-numeraire = Solo con este token de cotización (símbolo o dirección)
param-creator = Solo de este creador (dirección)
param-pool = Nombre, ticker o dirección de un token, o su pool
asset-choice = { $before } · { $after }

list-previous = ◀ Anterior
list-next = Siguiente ▶
list-page = Página { $page }
list-no-more = No hay más resultados.
list-repeats = Esta lista no se puede recorrer por páginas: el proveedor de datos envía siempre la primera. Usa un filtro o la búsqueda.
filter-status = estado
filter-numeraire = token de cotización
filter-category = categoría
filter-creator = creador
filter-term = nombre
# $filters: palabras de arriba, unidas con “y”.
list-all-left-out = El proveedor de datos solo envió tokens que no cumplen el filtro de { $filters }.
list-all-left-out-see-next = El proveedor de datos solo envió tokens que no cumplen el filtro de { $filters }. Puede haber alguno en la página siguiente.
list-left-out =
    { $count ->
        [one] Omitido: 1 token que el proveedor de datos envió y no cumple el filtro de { $filters }.
       *[other] Omitidos: { $count } tokens que el proveedor de datos envió y no cumplen el filtro de { $filters }.
    }
list-not-by-market-cap = Sin ordenar por market cap: el proveedor de datos usa su propio orden.
list-not-by-volume = Sin ordenar por volumen: el proveedor de datos usa su propio orden.

error-misconfigured = Este bot no está bien configurado
error-unauthorised = El proveedor de datos rechaza la clave de API de este bot. El operador puede ejecutar doctor para ver por qué.
error-forbidden = El proveedor de datos rechaza la solicitud. El operador puede ejecutar doctor para ver por qué.
error-blocked = Un cortafuegos delante del proveedor de datos bloquea este bot. No es por nada que hayas hecho; sigo intentándolo.
error-not-found = No encontrado
error-not-found-text = El proveedor de datos no tiene nada en esa dirección en esta red.
error-invalid = Solicitud rechazada
error-invalid-text = El proveedor de datos rechazó la solicitud. Si lo que escribiste es correcto, el operador puede ejecutar doctor para ver por qué.
error-rate-limited = Demasiadas solicitudes
error-rate-limited-text = Hay demasiadas solicitudes ahora mismo. Inténtalo de nuevo en un momento.
error-unavailable = Sin conexión con el proveedor de datos
error-unavailable-text = Ahora no responde. Inténtalo de nuevo en un momento.
error-malformed = Respuesta ilegible
error-malformed-text = El proveedor de datos envió algo que no puedo leer. Inténtalo de nuevo en un momento.
error-ours = Algo salió mal
error-ours-text = Es culpa mía, no tuya. Si vuelve a pasar, envía esta referencia al operador: { $reference }
error-try-again = Reintentar

# Lo que se escribe se queda en inglés: raised, moved, new, day, week.
top-about = Tokens que más recaudaron, más valen, más se negociaron o más variaron, y los más nuevos
top-what = raised, mcap, volume, moved o new
top-period = Lanzados en el último día (day) o la última semana (week)
# Botones: unos 12 caracteres.
top-button-raised = 💰 Recaudado
top-button-mcap = 💎 Capitalización
top-button-volume = 🔊 Volumen
top-button-moved = 📈 Variación
top-button-new = 🆕 Nuevos
top-button-day = 24 h
top-button-week = 7 días
top-title-raised-day = Los que más recaudaron en { $chain }, lanzados en las últimas 24 h
top-title-raised-week = Los que más recaudaron en { $chain }, lanzados en los últimos 7 días
top-title-mcap = Mayores capitalizaciones en { $chain }
top-title-volume = Los más negociados en { $chain } en 24 h
top-title-volume-week = Los más negociados en { $chain } en 7 días
top-title-moved = Los que más variaron en { $chain } en 24 h
top-title-moved-week = Los que más variaron en { $chain } en 7 días
top-title-new-day = Nuevos en { $chain } en las últimas 24 h
top-title-new-week = Nuevos en { $chain } en los últimos 7 días
top-raised = Recaudado { $money }
top-volume = Volumen { $volume }
top-not-comparable =
    { $count ->
        [one] 1 más recaudó en otro token de cotización y no se puede comparar.
       *[other] { $count } más recaudaron en otros tokens de cotización y no se pueden comparar.
    }
top-not-in-dollars =
  { $count ->
    [one] { $count } más solo tiene cifras en su token de cotización.
   *[other] { $count } más solo tienen cifras en su token de cotización.
  }
top-day-only = No hay datos para esto: el proveedor solo da variaciones y volúmenes de 24 h.
top-among-newest = Entre los { $count } tokens más recientes.
top-among-most-traded = Entre los { $count } tokens con más volumen (24 h).
top-none-raised-day = Nada de lo lanzado en { $chain } en las últimas 24 h ha recaudado todavía.
top-none-raised-week = Nada de lo lanzado en { $chain } en los últimos 7 días ha recaudado todavía.
top-none-raised-uncounted = Los pools de { $chain } no cuentan lo que recaudan. Prueba con capitalización o volumen.
top-none-mcap = No se conoce en dólares ninguna capitalización en { $chain }.
top-none-volume = No se negoció nada en { $chain } en las últimas 24 h.
top-none-moved = Ningún precio varió en { $chain } en las últimas 24 h.
top-none-new-day = No se lanzó nada en { $chain } en las últimas 24 h.
top-none-new-week = No se lanzó nada en { $chain } en los últimos 7 días.
top-undated = El proveedor de datos no indica cuándo se lanzaron los tokens.

watchlist-about = Tu lista de seguimiento, con la variación desde que añadiste cada token
watchlist-add = Nombre, ticker o dirección del token que quieres añadir
watchlist-title = ⭐ Tu lista de seguimiento
watchlist-empty = Aún no hay nada. Pulsa ⭐ Guardar en la ficha de un token, o usa /watchlist con su nombre.
watchlist-added = ⭐ { $token } está en tu lista de seguimiento
watchlist-full = Tu lista de seguimiento está llena: caben { $max } tokens. Quita uno primero.
watchlist-removed = { $address } ya no está en la lista.
watchlist-remove-title = ¿Cuál quieres quitar?
watchlist-since = { $change } desde que se añadió
watchlist-price = Precio { $price }
watchlist-no-price = sin precio ahora mismo
watchlist-button-list = ⭐ Mi lista
watchlist-button-remove = Quitar…
watchlist-button-remove-this = Quitar
creators-about = Alertas sobre las subastas de un creador
by-about = Los tokens de un creador
by-title = Tokens creados por { $creator }
by-title-on = Tokens creados por { $creator } · { $chain }
by-none = Este creador no tiene tokens en { $chain }.
by-button-alerts = 🔔 Alertas: todo lo que lance
share-about = Compartir un token
share-title = Compartir { $token }
share-title-unlisted = Compartir este token
share-text = Elige dónde: verás la publicación antes de enviarla. O copia el enlace:
share-nowhere = No hay ninguna página sobre tokens de { $chain } que enlazar.
# Botones: unos 12 caracteres.
asset-button-watch = ⭐ Guardar
asset-button-creator = 👤 Creador
asset-button-share = 📤 Compartir

## Alerts

alerts-about = Recibir alertas de subastas

# Botones: 18 caracteres como máximo.
alerts-kind-live = 🟢 En curso
alerts-kind-incoming = 🕒 Próximamente
alerts-kind-progress = 📈 Progreso
alerts-kind-ending = ⏳ Final
alerts-kind-graduated = 🎓 Graduación
alerts-kind-price = 💲 Precio
alerts-kind-mcap = 🏦 Market cap
alerts-kind-digest = 🗓 Resumen diario

alerts-about-live = empieza una subasta
alerts-about-incoming = se anuncia una subasta
alerts-about-progress = 25%, 50%, 75%… vendido
alerts-about-ending = una subasta está por terminar
alerts-about-graduated = una subasta se gradúa
alerts-about-price = el precio de un token varía o cruza un valor
alerts-about-mcap = el market cap de un token varía o cruza un valor
alerts-about-digest = una vez al día, lo que pasó

alerts-rule-live = Empieza cualquier subasta
alerts-rule-live-one = Empieza la subasta de { $name }
alerts-rule-incoming = Se anuncia cualquier subasta
alerts-rule-incoming-one = Se anuncia la subasta de { $name }
alerts-rule-graduated = Se gradúa cualquier subasta
alerts-rule-graduated-one = Se gradúa { $name }
alerts-rule-progress = Cualquier subasta llega al { $shares } vendido
alerts-rule-progress-one = { $name } llega al { $shares } vendido
alerts-rule-ending = { $time } antes de que termine cualquier subasta
alerts-rule-ending-one = { $time } antes de que termine la subasta de { $name }
alerts-rule-price-moves = El precio de { $name } varía un { $change }
alerts-rule-price-above = El precio de { $name } sube por encima de { $limit }
alerts-rule-price-below = El precio de { $name } baja por debajo de { $limit }
alerts-rule-mcap-moves = El market cap de { $name } varía un { $change }
alerts-rule-mcap-above = El market cap de { $name } sube por encima de { $limit }
alerts-rule-mcap-below = El market cap de { $name } baja por debajo de { $limit }
alerts-rule-digest = Resumen diario a las { $time }, { $zone }
alerts-rule-filtered = { $rule } · { $filters }
alerts-filter-quote = token de cotización { $token }
alerts-filter-creator = creador { $creator }
alerts-filter-name = con “{ $name }” en el nombre
alerts-filter-mcap = market cap ≥ { $amount }
alerts-filter-raised = recaudado ≥ { $amount }
alerts-some-token = Un token
alerts-limit-quote = { $amount } (en el token de cotización)
alerts-minutes = { $count } min
alerts-hours = { $count } h

# Botones. Los de progreso, final y precio: 18 caracteres como máximo.
alerts-short-progress = 📈 Progreso { $shares }
alerts-short-ending = ⏳ Final: { $time }
alerts-short-price-moves = 💲 Precio ±{ $change }
alerts-short-price-above = 💲 Precio > { $limit }
alerts-short-price-below = 💲 Precio < { $limit }
alerts-short-mcap-moves = 🏦 Market cap ±{ $change }
alerts-short-mcap-above = 🏦 Market cap > { $limit }
alerts-short-mcap-below = 🏦 Market cap < { $limit }
alerts-short-any-chain = { $rule }, cualquier red

alerts-incoming = 🕒 Próximamente: { $token }
alerts-live = 🟢 Ya en curso: { $token }
alerts-graduated = 🎓 Graduado: { $token }
alerts-ended = ⏹️ Terminó: { $token }
alerts-gone = ⏹️ Ya no figura en la lista: { $token }
alerts-progress = 📈 { $share } vendido: { $token }
alerts-sold-out = ✅ Todo vendido: { $token }
alerts-ending-soon = ⏳ Termina pronto: { $token }
alerts-ending = ⏳ Termina en { $hours } h: { $token }
alerts-price-above = ▲ Precio por encima de { $limit }: { $token }
alerts-price-below = ▼ Precio por debajo de { $limit }: { $token }
alerts-price-moved = 💲 Precio { $change }: { $token }
alerts-price-rose = ▲ Sube el precio: { $token }
alerts-price-fell = ▼ Baja el precio: { $token }
alerts-mcap-above = ▲ Market cap por encima de { $limit }: { $token }
alerts-mcap-below = ▼ Market cap por debajo de { $limit }: { $token }
alerts-mcap-moved = 🏦 Market cap { $change }: { $token }
alerts-mcap-rose = ▲ Sube el market cap: { $token }
alerts-mcap-fell = ▼ Baja el market cap: { $token }
alerts-several = 🔔 { $count ->
    [one] 1 alerta
   *[other] { $count } alertas
  }
alerts-detail-ends = termina { $time }
alerts-detail-starts = empieza { $time }
alerts-detail-now = ahora { $value }
alerts-value-changed = { $value }  { $change } desde { $before }
alerts-outcome-sold-out = Se vendió todo y se graduó.
alerts-outcome-graduated = La subasta terminó y se graduó.
alerts-outcome-ended = Terminó sin graduarse.
alerts-outcome-ended-at = Terminó sin graduarse, con { $share } vendido.
alerts-outcome-gone = El proveedor de datos ya no lo incluye en su lista.

alerts-digest-title = 🗓 Resumen diario, { $date }
alerts-digest-counts = { $live } en curso · { $wentLive } empezaron · { $graduated } se graduaron
alerts-digest-ending = Terminan en menos de 24 horas
alerts-digest-newest = Más recientes
alerts-digest-graduated = Graduados
alerts-digest-movers = Mayores variaciones (24 h)
alerts-digest-zone = Los días son los de { $zone }.

alerts-list-own = Tus alertas
alerts-list-chat = Alertas de aquí
alerts-list-topic = Alertas de este tema
alerts-list-other-chat = Alertas
alerts-list-empty = Aún no hay alertas. Pulsa “Añadir” para elegir algunas, o usa { $line }
alerts-list-no-more = No hay más alertas.
alerts-paused = ⏸️ Las alertas están en pausa. { $reason } { $resume }
alerts-resumed = { $reason } Las alertas vuelven a estar activas desde ahora.
alerts-resume-own = Usa { $command } aquí para reactivarlas.
alerts-lost-blocked = Me habías bloqueado, así que no se envió nada.
alerts-lost-removed = Me habían quitado del chat, así que no se envió nada.
alerts-lost-gone = Ese sitio ya no existía, así que no se envió nada.
alerts-lost-topic-closed = El tema estaba cerrado, así que no se envió nada.
alerts-lost-forbidden = No tenía permiso para publicar, así que no se envió nada.
alerts-lost-refused = La plataforma rechazó varios mensajes seguidos.
alerts-lost-operator = Las puso en pausa el operador de este bot.
alerts-resume-operator = Solo él puede reanudarlas.
alerts-muted = 🔕 En silencio hasta que alguien reactive las alertas. Mientras tanto, se omiten.
alerts-muted-until = 🔕 En silencio hasta { $time }. Mientras tanto, las alertas se omiten.
alerts-chat-id = chat { $id }

telegram-only-managers = Solo los administradores pueden cambiar esto.
telegram-not-manager = Aquí solo los administradores pueden cambiar las alertas. Escríbeme por privado para configurar las tuyas.
telegram-manager-resumes = Seguirán cuando un administrador envíe /alerts aquí.
telegram-alerts-begun = Un administrador activó las alertas aquí. Los administradores pueden verlas y cambiarlas con /alerts.
telegram-not-managed = No puedo configurar ese chat: no estoy en él o tú no eres administrador. Añádeme como administrador con permiso para publicar e inténtalo de nuevo.
telegram-cant-post = No puedo publicar en ese chat. Hazme administrador con permiso para publicar e inténtalo de nuevo.
telegram-managers-unseen = No puedo ver quiénes son los administradores de este chat. Hazme administrador e inténtalo de nuevo.
# Permisos con los nombres que les da Discord en español.
discord-only-managers = Solo quienes tengan “Gestionar servidor” o “Gestionar webhooks” pueden cambiar esto.
discord-not-manager = Necesitas “Gestionar servidor” o “Gestionar webhooks” para cambiar las alertas aquí. Escríbeme por privado para configurar las tuyas.
discord-manager-resumes = Seguirán cuando alguien con “Gestionar servidor” o “Gestionar webhooks” use /alerts aquí.
discord-alerts-begun = Alguien con “Gestionar servidor” o “Gestionar webhooks” activó las alertas aquí. Otras personas con estos permisos pueden verlas y cambiarlas con /alerts.
discord-not-managed = No puedo configurar ese canal: no estoy en él o no tienes ahí ni “Gestionar servidor” ni “Gestionar webhooks”. Dame “Ver canal” y “Enviar mensajes” e inténtalo de nuevo.
discord-cant-post = No puedo publicar en ese canal. Dame “Ver canal” y “Enviar mensajes” e inténtalo de nuevo.
discord-managers-unseen = No puedo ver quién puede cambiar las alertas aquí. Dame “Ver canal” en este canal e inténtalo de nuevo.
alerts-begun = 🔔 Las alertas están activas aquí
alerts-cant-post-now = Ahora mismo no pude publicar allí. Inténtalo de nuevo en un momento.
alerts-managers-unknown = Ahora mismo no puedo comprobar quién puede cambiar las alertas aquí. Inténtalo de nuevo en un momento.
alerts-managers-unknown-there = Ahora mismo no puedo comprobar quién puede cambiar las alertas de allí. Inténtalo de nuevo en un momento.
alerts-other-chat-private = Otros chats y canales solo se configuran en nuestro chat privado. Envíamelo allí.
alerts-guest = No soy miembro aquí, así que solo puedo responder. Para alertas y ajustes, añádeme a un servidor tuyo o usa esto en nuestro chat privado. { $add }

# Botones: 18 caracteres como máximo.
alerts-button-alerts = 🔔 Alertas
alerts-button-list = ◀ Ver todas
alerts-button-all = Todas las alertas
alerts-button-back = ◀ Atrás
alerts-button-add = Añadir
alerts-button-add-more = Añadir más
alerts-button-change = Cambiar
alerts-button-remove = Eliminar
alerts-button-remove-all = Eliminar todas
alerts-button-keep = Conservarlas
alerts-button-mute = Silenciar
alerts-button-unmute = Reactivar
alerts-button-channel = Configurar canal
alerts-button-pick-channel = Elegir un canal
alerts-button-pick-group = Elegir un grupo
alerts-button-own = Mis alertas
alerts-button-live-auctions = Subastas en curso
alerts-button-follow = Seguir
alerts-button-unfollow = Dejar de seguir
alerts-button-ticked = ✓ { $label }

# También títulos de formularios: 45 caracteres como máximo.
alerts-set-price = Fijar precio…
alerts-set-mcap = Fijar market cap…
alerts-set-progress = Fijar porcentaje…
alerts-set-ending = Fijar minutos…
alerts-set-digest = Fijar hora…
alerts-set-min-mcap = Market cap mínimo…
alerts-set-min-raised = Recaudación mínima…
alerts-set-creator = Solo un creador…
alerts-min-mcap-title = Market cap mínimo
alerts-min-raised-title = Recaudación mínima
alerts-creator-title = Solo un creador
alerts-button-filters = Más filtros…
alerts-set-filter = { $filter }…
alerts-name-title = Nombre o ticker
alerts-category-title = Categoría
alerts-any-category = Cualquier categoría
alerts-any-chain = Cualquier red
alerts-ask-price = ¿Qué precio? Como { $value }, o una variación, como { $change }
alerts-ask-mcap = ¿Qué market cap? Como { $value }, o una variación, como { $change }
alerts-ask-progress = ¿Qué porcentajes? Como { $example }
alerts-ask-ending = ¿Cuántos minutos antes del final? Como { $example }, u horas, como { $hours }
alerts-ask-digest = ¿A qué hora en UTC? Como { $example }, o con tu ciudad, como { $city }
alerts-ask-reply = { $ask } – responde a este mensaje
alerts-ask-min-mcap = ¿Cuál es el market cap mínimo para avisarte? Como { $example }
alerts-ask-min-raised = ¿Cuánto debe haber recaudado una subasta como mínimo? Como { $example }
alerts-minimum-about = Por debajo del mínimo no hay alerta, ni mientras no se conozca la cifra. Las de inicio, próximas y graduación llegan cuando se alcanza.
alerts-no-minimum = Sin mínimo
alerts-ask-creator = ¿Cuál es la dirección del creador? Como { $example }
alerts-ask-name = ¿Qué parte del nombre o del ticker? Como { $example }
alerts-ask-quote = ¿Qué token de cotización? Su símbolo o dirección, como { $example }
alerts-ask-category = ¿Qué categoría? Como { $example }
alerts-ask-chain = ¿Qué red? Como { $example }
alerts-creator-about = O abre uno de sus tokens y pulsa 👤 Creador.
alerts-ask-side = ¿Por encima o por debajo? No puedo ver el valor actual. Escribe { $above } o { $below }
alerts-button-search = 🔎 Buscar “{ $text }”

alerts-one = 🔔 Alerta
alerts-added = { $count ->
    [one] Alerta añadida
   *[other] { $count } alertas añadidas
  }
alerts-existing = { $rule } (ya estaba)
alerts-nothing-new = Nada nuevo
alerts-changed = ✅ Actualizada
alerts-removed = { $count ->
    [0] No hay nada que eliminar
    [one] 🔕 Alerta eliminada
   *[other] 🔕 { $count } alertas eliminadas
  }
alerts-remove-all = { $count ->
    [one] ¿Eliminar 1 alerta?
   *[other] ¿Eliminar { $count } alertas?
  }
alerts-remove-all-about = Dejarás de recibir estas alertas. No se puede deshacer.
alerts-mute = 🔕 ¿Cuánto tiempo en silencio?
alerts-mute-about = Durante el silencio, las alertas se omiten.
alerts-set-mute = Otro tiempo…
alerts-ask-mute = O por otro tiempo, como { $examples }
alerts-mute-on = Hasta reactivarlas
alerts-hint-zone = Está en UTC. Para tu zona horaria, usa { $line }
alerts-hint-role = Para mencionar un rol con ella, usa { $line }

alerts-choose = ¿Qué alertas quieres?
alerts-or-type = O escribe, por ejemplo: { $line }
alerts-current = Ahora { $value }
alerts-which-token = Esta alerta es para un solo token. Elígelo aquí o pulsa 🔔 Alertas en su ficha.
alerts-preset-any = Cualquier subasta
alerts-preset-token = Este token
alerts-preset-above = ▲ { $value }
alerts-preset-below = ▼ { $value }
alerts-preset-percents = { $first } … { $last }
alerts-preset-percents-all = { $all }
alerts-pick = Configurar un canal
alerts-pick-about = Elige un canal o un grupo y configura sus alertas aquí, en nuestro chat privado. Allí tengo que ser administrador con permiso para publicar.

alerts-token-own = Tus alertas para este token:
alerts-token-chat = Alertas de aquí para este token:
alerts-token-topic = Alertas de este tema para este token:
alerts-token-other-chat = Alertas para este token:
alerts-token-none = Aún no hay alertas para este token.
alerts-token-note = Las alertas generales del chat también pueden incluirlo: mira “Todas las alertas”.

alerts-already-above = Ahora { $value }: ya está por encima. Recibirás una alerta cuando baje del valor y vuelva a superarlo.
alerts-already-below = Ahora { $value }: ya está por debajo. Recibirás una alerta cuando supere el valor y vuelva a bajar de él.
alerts-value-unknown = { $name }: ahora no se conoce. Las alertas empezarán cuando se conozca.
alerts-already-sold = Ya está vendido el { $share }, así que esta alerta no llegará.
alerts-already-ending = Termina en menos de { $time }, así que esta alerta no llegará.
alerts-never-ends = No tiene final, así que esta alerta no llegará.
alerts-never-graduates = Los tokens de { $chain } no se gradúan, así que esta alerta no llegará.
# $kinds: lo que se escribe, en inglés: “live y progress”.
alerts-over-incoming = { $token } ya está anunciado, así que no habrá más alertas { $kinds }.
alerts-over-live = La subasta de { $token } ya está en curso, así que no habrá más alertas { $kinds }.
alerts-over-graduated = { $token } ya se graduó, así que no habrá más alertas { $kinds }.
alerts-over-ended = La subasta de { $token } ya terminó, así que no habrá más alertas { $kinds }.
alerts-over-gone = { $token } ya no figura en la lista, así que no habrá más alertas { $kinds }.
alerts-instead = { $remark } Lo que aún puede llegar: { $line }

# 100 caracteres como máximo, con los tipos que van delante.
alerts-param-of = { $kinds }: { $about }
alerts-param-what = Qué hacer, con sus opciones: add …, mute 8h, remove all; vacío para la lista
alerts-param-category = Solo esta categoría
alerts-param-name = Solo con esto en el nombre o el ticker
alerts-param-mcap = Solo desde este market cap, o any
alerts-param-raised = Solo cuando se haya recaudado esto, o any
alerts-param-quote = Solo con este token de cotización
alerts-param-creator = Solo de este creador
alerts-param-token = Un token: nombre, ticker o dirección
alerts-param-percent = porcentaje vendido, como 25,50,100
alerts-param-minutes = minutos antes del final, 5–1440
alerts-param-above = sube por encima de esto
alerts-param-below = baja por debajo de esto
alerts-param-move = varía este porcentaje
alerts-param-hour = hora del día, 0–23
alerts-param-zone = zona horaria o ciudad (por defecto: UTC)
alerts-param-in = ID de otro chat o canal que administras (solo en privado)
alerts-guide-one = una alerta, por su número en la lista; remove all
alerts-guide-mute = 30m, 8h, 7d o on
alerts-guide-channel = configurar un canal o grupo desde nuestro chat privado (Telegram)
alerts-param-role = Mencionar este rol en cada alerta
alerts-role-unreadable = “{ $typed }” no es un rol. Elige uno de la lista.
alerts-role-unfit = Solo se pueden mencionar roles en servidores de Discord.
alerts-role-later = Indica tipo y token junto con { $option }, o cambia la alerta después de añadirla.
alerts-with-role = { $rule } · menciona a { $role }
alerts-role-set = Cada alerta menciona a { $role }.
alerts-role-unset = Sus alertas no mencionan ningún rol.
alerts-button-no-role = Quitar mención
discord-role-unknown = Aquí no existe ese rol.
discord-role-not-yours = No puedes mencionar { $role }: hace falta un rol que cualquiera pueda mencionar o el permiso “Mencionar a todos”.
discord-role-not-mine = No puedo mencionar { $role }: permite que cualquiera lo mencione o dame el permiso “Mencionar a todos”.
alerts-follow-about = Alertas para un token
alerts-follow-on = Alertas que añadir
alerts-follow-off = Alertas que eliminar

alerts-kind-unknown = Alerta desconocida: “{ $typed }”. Usa: { $kinds }.
alerts-kind-near = Alerta desconocida: “{ $typed }”. ¿Querías decir { $near }?
alerts-subcommand-unknown = Palabra desconocida: “{ $typed }”. Usa add (como { $example }), show, change, remove, mute o unmute; /alerts solo muestra la lista.
alerts-subcommand-near = Palabra desconocida: “{ $typed }”. ¿Querías decir { $near }? Usa add (como { $example }), show, change, remove, mute o unmute; /alerts solo muestra la lista.
alerts-option-with-add = { $option } solo funciona con add, como { $example }
alerts-option-unnamed = Alerta desconocida: “{ $typed }”. Las opciones llevan su nombre, como { $example }
alerts-option-unfit = { $option } solo funciona con { $supporting }, no con { $requested }.
alerts-one-value = Usa solo una opción por alerta ({ $options }) y añade otra alerta para la otra.
alerts-shared-value = { $kinds } no pueden compartir el mismo valor. Añádelas una por una.
alerts-token-needed = Una alerta { $kind } es para un solo token: añade { $option } con su ticker o dirección, o pulsa 🔔 Alertas en su ficha.
alerts-token-unfit = { $option } no funciona con { $kind }, que abarca muchos tokens. Añade { $kind } por separado.
alerts-filter-unfit = { $filter } no funciona con { $option }, que ya indica un solo token. Usa solo una de las dos.
alerts-token-by-itself = Las alertas { $kinds } necesitan un token. Añádelas por separado, { $first }, y el resto así: { $second }
alerts-change-what = ¿Qué quieres cambiar? Por ejemplo: { $example }
alerts-amount-unreadable = “{ $typed }” no es una cantidad. Escribe 0,5, 1,5e-7, 300k o 2,5m.
alerts-amount-impossible = “{ $typed }” no se puede alcanzar. Usa una cantidad mayor que 0 que un precio pueda tener.
alerts-amount-ambiguous = “{ $typed }” se puede leer de dos maneras. Escribe { $thousands } o { $fraction }.
alerts-percent-unreadable = “{ $typed }” no sirve. Usa números enteros de { $min } a { $max }, como 25,50.
alerts-percent-many = Son { $count } valores; el máximo es { $max }.
alerts-zone-unknown = Zona horaria desconocida: “{ $typed }”. Usa una ciudad o un nombre como Europe/Berlin, America/New_York o UTC.
alerts-zone-near = Zona horaria desconocida: “{ $typed }”. ¿Querías decir { $near }? También puedes usar otra ciudad o UTC.
alerts-category-unknown = Categoría desconocida: “{ $typed }”. Usa { $categories }.
alerts-chat-unreadable = “{ $typed }” no es el ID de un chat o canal, que es un número.
alerts-mute-unreadable = ¿Cuánto tiempo? Usa { $examples } (un año como máximo), o { $on } para silenciar hasta { $unmute }.
alerts-which-number = ¿Qué alerta? Indica su número de { $command }
alerts-none-of-number = Aquí no hay ninguna alerta { $number }. Mira { $command }
alerts-gone-already = Esta alerta ya no existe. Mira { $command }
alerts-done-already = Ya está hecho. Mira { $command }
alerts-too-many = { $count ->
    [one] Aquí ya hay 1 alerta y no puede haber más. Elimínala antes con { $command }.
   *[other] Aquí ya hay { $count } alertas y no puede haber más. Elimina antes alguna con { $command }.
  }
alerts-channel-telegram = Envíame { $line } por privado en Telegram.
alerts-follow-unreadable = “{ $typed }” no es una alerta. Abre la ficha del token, pulsa 🔔 Alertas y luego la alerta que quieres eliminar.

## Launch: the questions, the review, what becomes of it

launch-command = Lanzar tu propio token
launch-command-launching = Continuar un lanzamiento
launch-command-launches = Tus borradores y lanzamientos
launch-command-cancel = Descartar el borrador que empezaste
launch-command-metadata = Subir los metadatos de un token sin lanzarlo
launch-param-token = Su ticker y, después, su nombre: RIVER River Heron
launch-param-from = El chat donde se empezó
launch-param-from-wrong = Envía solo /launch: te iré preguntando los detalles.
launch-picture-alone = ¿Lanzar un token con esta imagen?
launch-picture-alone-caption = Vuelve a enviarla con el texto { $example }, o empieza con { $launch } y envíala cuando te pida el logo.
launch-picture-alone-option = Empieza con { $launch } y envía la imagen cuando te pida el logo.
launch-param-step = Qué hacer
launch-not-set-up = Aquí no se pueden hacer lanzamientos: el operador del bot tiene que añadir una plantilla (TEMPLATES).
launch-templates-unavailable = El proveedor de datos no puede decir ahora qué se puede lanzar. Inténtalo de nuevo en un momento.

launch-question-title = Pregunta { $number } de { $of }: { $label }
launch-answered = { $answered } de { $of } respondidas
launch-example = Ejemplo
launch-allowed = Se admite
launch-now = Actual
launch-left-out = omitido
launch-you-typed = Escribiste
launch-none = ninguno

# Botones: unos 20 caracteres.
launch-answer = Responder
launch-keep = Conservar
launch-skip = Omitir
launch-leave-out = Quitar
launch-back = ◀ Atrás
launch-cancel = Cancelar

# Formularios de Discord: títulos de 45 caracteres y descripciones de 100 como máximo.
launch-form = Tu token
launch-form-metadata = Tus metadatos
launch-form-optional = { $about } (opcional)
launch-form-old = Este formulario ya no es válido. /launch muestra dónde estás.

launch-chain = Red
launch-chain-question = ¿En qué red quieres lanzarlo?
launch-chain-unknown = Ahí no puedo lanzar. Elige { $chains }.

launch-template = Plantilla
launch-template-question = ¿Cómo se debe vender?
launch-template-unknown = No existe esa plantilla. Elige { $templates }.
launch-template-gone = Este bot ya no ofrece esa plantilla. /launch muestra las actuales.
launch-template-missing = El proveedor de datos no tiene en { $chain } la plantilla que elegiste.
launch-template-other = Lo que fija la plantilla no es lo que mostraba tu revisión. Vuelve a mirarla, aquí con lo que vale ahora, y confirma.
# In the place of how much is to be raised.
launch-template-no-minimum = sin mínimo: se negocia desde el principio, por poco que compre la gente
launch-no-launcher = Este bot no conoce el contrato de lanzamiento en { $chain }, así que ahí no se puede lanzar nada. El operador puede indicarlo en LAUNCHERS.

launch-name = Nombre
launch-name-question = ¿Cómo se llama tu token?
launch-all-at-once = O envíalo todo de una vez: tu logo con el texto { $example }
launch-all-at-once-option = O todo de una vez: { $example }; después te pido el logo.
launch-name-allowed = De 1 a { $max } caracteres en una sola línea; puede llevar emojis.
launch-name-form = Hasta { $max } caracteres
launch-name-keep = Usar este nombre
launch-name-lookalike = “{ $name }” usa letras parecidas: se lee como un token que ya existe.

launch-symbol = Ticker
launch-symbol-question = ¿Cuál es su ticker?
launch-symbol-allowed = De 1 a 15 letras A–Z y dígitos.
launch-symbol-allowed-letters = De 1 a 15 letras A–Z. { $chain } admite cada ticker una vez cada 24 horas.
launch-symbol-allowed-pattern = Lo que coincida con { $pattern }
launch-symbol-wrong = “{ $symbol }” no puede ser un ticker. Se admite: { $allowed }
launch-symbol-long = “{ $symbol }” tiene { $count } caracteres. Se admite: { $allowed }
launch-symbol-keep = Usarlo de todos modos
launch-symbol-show = Ver ese token
launch-symbol-unchecked = No pude comprobar si { $symbol } ya existe: el proveedor de datos no responde.
launch-symbol-exists = { $symbol } ya existe. Envía otro ticker o úsalo de todos modos.
launch-symbol-reads-like = { $symbol } se lee como { $other }, que ya existe. Envía otro ticker o úsalo de todos modos.
launch-symbol-exists-on = { $symbol } ya existe en { $chain }. Envía otro ticker o úsalo de todos modos: la gente puede confundirlos.
launch-symbol-reserved = { $symbol } está ocupado en { $chain }: en las últimas 24 horas se lanzó otro token con él. Cámbialo o lanza más tarde.
launch-symbol-reads-like-on = { $symbol } usa letras parecidas: se lee como { $other }, que ya existe en { $chain }. Envía otro ticker o úsalo de todos modos: la gente puede confundirlos.

launch-description = Descripción
launch-description-question = Describe tu token. Después no podrás cambiarlo.
launch-description-allowed = Hasta { $max } caracteres, en varias líneas si quieres.
launch-description-form = Hasta { $max } caracteres

launch-logo = Logo
launch-logo-question = ¿Cuál es el logo de tu token? Una foto, un archivo o un enlace de IPFS.
launch-logo-question-ipfs = ¿Dónde está en IPFS el logo de tu token? Este bot no puede subir archivos.
launch-logo-allowed = PNG, JPEG, WebP o GIF de hasta 10 MB; se recorta en forma de cuadrado. O un CID o enlace de IPFS.
launch-logo-allowed-ipfs = Un CID de IPFS, una dirección ipfs:// o el enlace https de un gateway.
launch-logo-form = Un CID o enlace de IPFS
launch-logo-or-ipfs = O el CID o enlace de IPFS del logo
launch-logo-file = PNG, JPEG, WebP o GIF de hasta 10 MB
launch-logo-no-cid = Eso no es un CID ni un enlace de IPFS. Envía la imagen misma o su CID.
launch-logo-no-cid-ipfs = Eso no es un CID ni un enlace de IPFS. Sube la imagen a IPFS y envía su CID.
launch-logo-no-files = Este bot no puede subir archivos. Sube tú la imagen a IPFS y envía su CID.
launch-logo-cropped = Así se verá tu logo: el centro de tu imagen, 512 × 512 píxeles.
launch-logo-cropped-next = Úsalo o envía otro.
launch-logo-use = Usarlo
launch-logo-another = Enviar otro
launch-logo-keep-old = Conservar el anterior
launch-logo-none = Sin logo
launch-logo-gone = Esa imagen ya no está guardada. Envíala de nuevo.

launch-image-busy = Ahora mismo se están procesando muchas imágenes. Envía la tuya de nuevo en un minuto.
launch-image-large = Este archivo pesa más de 10 MB. Envía una imagen más pequeña.
launch-image-detailed = No puedo reducir lo suficiente esta imagen. Envía una con menos detalle.
launch-image-scans = No puedo procesar este JPEG. Guárdalo otra vez como PNG o JPEG y envíalo.
launch-image-damaged = No puedo leer esta imagen: está dañada o incompleta. Guárdala otra vez como PNG o JPEG y envíala.
launch-image-pixels = Esta imagen es demasiado grande: { $size } píxeles. Envía una de { $most } como máximo.
launch-image-small = Esta imagen es demasiado pequeña: { $size } píxeles. Envía una de al menos { $least }; lo ideal es { $best }.
launch-image-empty = Este archivo está vacío. Envía un PNG, JPEG, WebP o GIF.
launch-image-svg = No acepto archivos SVG, porque pueden contener código. Guárdalo como PNG y envíalo.
launch-image-page = Esto es una página web o un texto, no una imagen. Envía un PNG, JPEG, WebP o GIF.
launch-image-pdf = Esto es un PDF. Guarda la página como PNG o JPEG y envíala.
launch-image-heic = No acepto archivos HEIC ni AVIF. Guárdalo como JPEG o envíalo como foto en vez de archivo.
launch-image-video = Esto es un video o una animación. Envía un PNG, JPEG, WebP o GIF.
launch-image-archive = Esto es un archivo comprimido. Descomprímelo y envía la imagen que contiene: PNG, JPEG, WebP o GIF.
launch-image-format = No acepto este formato. Guárdalo como PNG o JPEG y envíalo.
launch-image-unknown = No puedo leer esa imagen. Envía un PNG, JPEG, WebP o GIF.

launch-links = Enlaces
launch-links-question = Web y redes sociales, una por línea.
launch-links-allowed = Hasta { $max } enlaces que empiecen por https://, cada uno con una etiqueta delante si quieres.
launch-links-form = Uno por línea, por ejemplo: Web https://…
launch-links-none = Envía al menos un enlace u omite esta pregunta.
launch-links-many = Como máximo { $max } enlaces; enviaste { $count }.
launch-links-twice = Este enlace está dos veces. Envíalo una sola vez.
launch-links-label-long = La etiqueta que va antes de este enlace es demasiado larga: { $max } caracteres como máximo.
launch-link-no-scheme = Envía el enlace completo, que empieza por https://.
launch-link-scheme = Un enlace debe empezar por https:, no por { $scheme }
launch-link-password = Un enlace no debe contener un nombre de usuario ni una contraseña.
launch-link-not-public = Un enlace debe llevar a un sitio público, como { $example }, y tener 512 caracteres como máximo.
launch-link-field = Enlace: { $label }
launch-more-links = Más enlaces

launch-categories = Categorías
launch-categories-question = ¿Qué tipo de token es?
launch-category-builder = Builder coin
launch-category-product = Product coin
launch-categories-both = Ambas
launch-categories-unknown = Elige { $categories }, u omite esta pregunta.

launch-wallet = Wallet
launch-wallet-question = ¿Qué wallet firmará el lanzamiento y pagará el gas? Solo necesito su dirección. Aquí nadie te pide nunca una clave privada ni una frase semilla.
launch-wallet-again = La misma de la última vez: { $wallet }
launch-wallet-allowed = 0x y 40 caracteres.
launch-wallet-form = La dirección que firma y paga el gas

launch-fee-receiver = Receptor de comisiones
launch-fee-receiver-question = ¿Qué dirección deben mostrar los metadatos del token como receptor de comisiones? Solo se muestra ahí y no cambia quién recibe las comisiones.
# “wallet” se escribe tal cual.
launch-fee-receiver-allowed = Una dirección, o “wallet” para la wallet que firma.
launch-fee-receiver-address = Una dirección.
launch-fee-receiver-form = Una dirección
launch-fee-receiver-same = La misma wallet

launch-vesting = Vesting
launch-vesting-question = Vesting: ¿quién recibe tokens bloqueados, que se liberan durante el tiempo que fija la plantilla? Uno por línea.
launch-vesting-question-days = Vesting: ¿quién recibe tokens bloqueados, que se liberan durante { $days ->
    [one] { $days } día
   *[other] { $days } días
}? Uno por línea.
launch-vesting-question-cliff = Vesting: ¿quién recibe tokens bloqueados, que se liberan durante { $days ->
    [one] { $days } día
   *[other] { $days } días
}, sin liberar nada { $cliff ->
    [one] el primer día
   *[other] los primeros { $cliff } días
}? Uno por línea.
# “5%” y “tokens” se escriben tal cual.
launch-vesting-allowed = Hasta { $max } direcciones, cada una con una parte del suministro, como 5%, o una cantidad, como 5000000 tokens; { $percent } en total como máximo.
launch-vesting-form = Uno por línea: dirección y 5%, o dirección y 5000000 tokens
launch-vesting-no-unit = Escribe { $share } o { $tokens }: { $number } solo podría ser cualquiera de las dos cosas.
launch-vesting-unit = Escribe { $typed } si es eso lo que quieres: un número necesita su unidad.
launch-vesting-no-number = Escribe una parte, como 5%, o una cantidad, como 5000000 tokens.
launch-vesting-too-much = Con esta línea ya es el { $sum } del suministro. Se puede poner en vesting el { $max } como máximo.
launch-vesting-small = { $account } recibe { $tokens } tokens, solo el { $percent } del suministro de { $supply }. ¿Es lo que querías?
launch-vesting-meant = Sí, es correcto

launch-beneficiaries = Reparto de comisiones
launch-beneficiaries-question = ¿Compartes tus comisiones de trading con alguien? El { $own } de todas las comisiones de trading es tuyo; lo que des a otros sale de ahí. Uno por línea.
launch-beneficiaries-allowed = Hasta { $max } direcciones, cada una con su parte; { $own } en total como máximo.
launch-beneficiaries-form = Uno por línea: dirección y parte, como 0x… 35%
launch-beneficiaries-no-percent = Escribe la parte con el signo de porcentaje, como 35%.
launch-beneficiaries-too-much = Con esta línea las partes suman { $sum }. Se puede repartir { $max } como máximo.
launch-beneficiaries-over = Otros recibirían { $sum } de las comisiones, pero esta plantilla te deja repartir { $max } como máximo. Cambia el reparto.

launch-list-entry = Línea { $number }: { $problem }
launch-accounts-none = Envía al menos una línea u omite esta pregunta.
launch-accounts-many = Como máximo { $max } direcciones; enviaste { $count }.
launch-accounts-twice = Esta dirección está dos veces. Envíala una sola vez.
launch-accounts-no-value = Añade después de la dirección cuánto recibe, por ejemplo { $example }.
launch-account-zero = Esta es la dirección cero: todo lo que reciba se pierde. Envía otra dirección.
launch-tokens-no-number = Escribe la cantidad de tokens en cifras, como 1000000 tokens o 1.5M tokens.
launch-tokens-whole = Solo se pueden bloquear tokens enteros: escribe { $less } o { $more }, no { $typed }.
launch-tokens-least = Solo se pueden bloquear tokens enteros: escribe al menos { $more }, no { $typed }.
launch-tokens-many = En los metadatos caben { $max } tokens como máximo.
launch-tokens-zero = La cantidad de tokens debe ser mayor que 0.
launch-percent-no-number = Escribe el porcentaje en cifras, como 5% o 2.5%.
launch-percent-decimals = Un porcentaje puede tener 16 decimales como máximo.
launch-percent-whole = { $percent } de { $supply } tokens no es una cantidad entera de tokens. Escribe otra parte o una cantidad, como 5000000 tokens.
launch-percent-zero = Un porcentaje debe ser mayor que 0.
launch-percent-over = Un porcentaje no puede superar el 100%.

launch-text-empty = Usa caracteres que se puedan ver.
launch-text-lines = Envíalo en una sola línea, sin saltos de línea.
launch-text-tab = Contiene un tabulador ({ $code }). Escríbelo de nuevo sin él.
launch-text-control = Contiene un carácter de control ({ $code }). Escríbelo de nuevo sin él.
launch-text-direction = Contiene un carácter que cambia la dirección de escritura ({ $code }). Escríbelo de nuevo sin él.
launch-text-unseen = Contiene un carácter invisible ({ $code }). Escríbelo de nuevo sin él.
launch-text-accents = Contiene acentos sin letra, o demasiados en una letra. Quítalos.
launch-text-long = { $max } caracteres como máximo; el tuyo tiene { $count }.
launch-text-bytes = Ocupa demasiado espacio (más de { $max } bytes). Usa menos emojis.
launch-text-address = Eso es una dirección. Las direcciones te las pediré más adelante.
launch-text-link = Eso es un enlace. Los enlaces te los pediré más adelante.
# $script: nombre de un alfabeto, en inglés.
launch-text-mixed = “{ $letter }” ({ $code }) es de otro alfabeto ({ $script }) en una palabra de letras latinas. Escribe cada palabra en un solo alfabeto.
secret-sent = ⚠️ Esto parece una clave privada o una frase semilla. No la guardé. Mueve lo que protege a una wallet nueva: cualquiera que la haya visto puede llevárselo todo. No se la envíes nunca a nadie: un lanzamiento solo necesita tu dirección, y quien te pida más es un estafador.
secret-or-hash = ⚠️ Esto es una clave privada, el hash de una transacción o el id de un pool: se ven igual, así que no lo guardé. Si es una clave: mueve ya lo que protege a una wallet nueva, cualquiera que la haya visto puede llevárselo todo. Si es un hash: no se pierde nada, encuentro tu lanzamiento por mi cuenta, mira /launches. Si es el id de un pool: envíalo con /auction.
# Above that, on Telegram: whether the bot could delete the message.
secret-deleted = 🗑️ Borré tu mensaje.
secret-delete = ⚠️ Borra tu mensaje ahora: aquí yo no puedo hacerlo.

launch-saved = Guardado: { $labels }.
launch-skipped = Omitido: { $labels }. Puedes añadir más en la revisión.
launch-not-asked = no se pregunta en este lanzamiento, así que se omite.
launch-mistyped = No hay ninguna respuesta llamada “{ $word }”. ¿Querías decir “{ $near }”?
launch-all-answered = Todo está respondido. Confirma abajo o cambia una respuesta.
launch-first-file-only = Solo tomé el primer archivo.
launch-caption-unused = No usé el texto que acompaña al archivo como respuesta; envíalo por separado.
launch-concurrent-answer = Llegaron dos respuestas al mismo tiempo y esta no se guardó. Aquí es donde estás; envíala de nuevo si todavía corresponde.
launch-metadata-about = Esto sube el logo y los metadatos y te da su dirección. No se lanza ningún token.
launch-resumed = Continúa tu lanzamiento de { $since }.
launch-resumed-metadata = Continúa tu subida de { $since }.
launch-last-expired = Tu último borrador expiró: no lo tocabas desde { $since }. Este es uno nuevo.
launch-other-waits = Otro de tus lanzamientos espera tu firma: mira /launches.
launch-nothing-to-cancel = No hay nada que cancelar. /launches muestra tus lanzamientos; /launch empieza uno nuevo.
launch-answered-already = Ya está respondida. /launch continúa donde estás.
launch-answered-metadata = Ya está respondida. /metadata continúa donde estás.
launch-closed-expired = Este borrador expiró tras una semana sin cambios. /launch empieza uno nuevo.
launch-closed-expired-metadata = Este borrador expiró tras una semana sin cambios. /metadata empieza uno nuevo.
launch-closed-uploaded = Ya está subido: mira /launches. /metadata empieza uno nuevo.
launch-closed-built = Este lanzamiento ya está preparado: mira /launches.
launch-closed-gone = Este lanzamiento ya no existe. /launch empieza uno nuevo.
launch-closed-gone-metadata = Esta subida ya no existe. /metadata empieza una nueva.

launch-review = Revisión: { $token }
launch-review-cost = Solo pagas el gas, desde tu wallet. Este bot no se queda con nada.
launch-review-confirm = No pasa nada hasta que confirmes y firmes en tu propia wallet. Después de confirmar verás, línea por línea, qué hace de verdad la transacción, y recibirás un enlace para firmarla.
launch-review-confirm-file = No pasa nada hasta que confirmes y firmes en tu propia wallet. Después de confirmar verás, línea por línea, qué hace de verdad la transacción, y la recibirás como archivo.
launch-review-announce = Cuando esté lanzado, se puede anunciar donde empezaste.
launch-review-upload-cost = Esto no cuesta nada: es una subida y no se lanza ningún token.
launch-review-upload = No se sube nada hasta que pulses “Subir”. Después recibes la dirección de los metadatos.
launch-confirm = Confirmar
launch-upload = Subir
launch-change = ✎ { $label }
launch-announce-on = 🔔 Anunciarlo allí: sí
launch-announce-off = 🔕 Anunciarlo allí: no
launch-announce-on-here = 🔔 Anunciarlo en este canal cuando esté lanzado: sí
launch-announce-off-here = 🔕 Anunciarlo en este canal cuando esté lanzado: no

launch-discard = ¿Descartar este borrador?
launch-discard-upload = ¿Descartar esta subida?
launch-discard-about = Se borran también todas tus respuestas.
launch-discard-yes = Descartar
launch-discard-no = Seguir editando
launch-discarded = Borrador descartado
launch-discarded-about = No se lanzó nada. /launch empieza uno nuevo.
launch-discarded-upload = No se subió nada. /metadata empieza uno nuevo.
launch-open-launch = Tienes abierto un borrador de lanzamiento
launch-open-upload = Tienes abierta una subida de metadatos
launch-open-about = Empezaste { $since }. Primero termina o descarta lo que está abierto: solo puede haber uno a la vez.
launch-open-about-named = Empezaste { $name } { $since }. Primero termínalo o descártalo: solo puede haber uno a la vez.
launch-discard-it = Descartar

launch-step = { $mark } { $label }
launch-step-earlier = Transacción anterior
launch-step-metadata = Metadatos
launch-step-built = Transacción
launch-step-check = Comprobación
launch-step-not-launched = no se lanzó
launch-step-is-built = preparada
launch-step-failed = falló
launch-step-on-ipfs = ya en IPFS
launch-step-published = subido a IPFS
launch-step-published-unchecked = subido a IPFS; no se ha vuelto a leer
launch-step-not-verified = sin verificar
launch-step-not-passed = no superada
launch-step-read = leída byte a byte; sin simular
launch-step-rehearsed = leída byte a byte y simulada en la red
launch-step-called = leída byte a byte y probada con una llamada en la red
launch-step-logo-gone = Tu logo ya no está guardado. Envíalo de nuevo: /launch.
launch-being-built = Ya se está preparando: el mensaje de arriba muestra el progreso.
launch-unanswered = Aún hay preguntas abiertas. /launch continúa donde estás.
launch-changed-since = Tus respuestas cambiaron después de que confirmaste. /launch las muestra; confirma otra vez.
launch-no-longer-built = Este lanzamiento ya no se está preparando. /launches lo muestra; /launch empieza uno nuevo.
launch-rebuild-waits = Su transacción todavía se puede firmar. Cancela antes ese lanzamiento o podrías lanzar dos veces: mira /launches.
launch-rebuild-other-open = Tienes otro borrador abierto. Termínalo con /launch o descártalo con /cancel y luego vuelve a preparar este.
launch-earlier-unseen = No puedo saber si la transacción anterior lanzó el token.
launch-earlier-stands = Ya hay un contrato en la dirección del token, pero todavía no encontré su lanzamiento. Por ahora no se prepara nada más, o podrías lanzar dos veces. Mira /launches en unos minutos.
launch-earlier-pending = Hay una transacción suya en camino: { $hash }. Espera a que termine y luego mira /launches.
launch-refused = La transacción no haría lo que debe, así que no se te entrega: { $reason }.
launch-refused-listed = el proveedor de datos ya incluye un token en { $token }
launch-mismatch = La transacción no dice lo que debe, así que no se te entrega. Avisa al operador.
launch-mismatch-values = se esperaba { $expected }, se encontró { $found }
launch-template-fault = El problema está en la plantilla: avisa al operador.
launch-template-fault-choose = El problema está en la plantilla: elige otra o avisa al operador.
launch-unverified-advice = Continúa solo si estás de acuerdo con todo lo de abajo y confías en quien gestiona la plantilla. Seguirá marcado como “Sin verificar”.
launch-failed-bot = Es un error del bot, no tuyo. Inténtalo de nuevo en un momento o avisa al operador.
launch-api-unauthorised = El proveedor de datos no acepta la clave de este bot. El operador tiene que arreglarlo.
launch-api-forbidden = El proveedor de datos rechaza esta solicitud. El operador tiene que revisarlo.
launch-api-blocked = Un cortafuegos delante del proveedor de datos bloquea este bot. No es por nada que hayas hecho. Inténtalo de nuevo en un momento.
launch-api-not-found = El proveedor de datos no conoce esta plantilla. El operador tiene que revisarlo.
launch-api-invalid = El proveedor de datos no acepta estas respuestas. Cámbialas o pregunta al operador.
launch-api-invalid-words = El proveedor de datos no acepta estas respuestas: «{ $words }». Cámbialas o pregunta al operador.
launch-api-busy = El proveedor de datos está saturado. Inténtalo de nuevo en un minuto.
launch-api-unavailable = El proveedor de datos no responde. Inténtalo de nuevo en un momento.
launch-api-malformed = El proveedor de datos envió algo inservible. Inténtalo de nuevo en un momento.
launch-ipfs-unavailable = No se pudo subir tu logo: el servicio de IPFS no responde. Inténtalo de nuevo en un momento.
launch-ipfs-other = El servicio de IPFS guardó algo distinto de tu logo, así que me detuve aquí. El operador tiene que revisarlo.
launch-ipfs-refused = El servicio de IPFS rechaza tu logo. El operador tiene que revisarlo.
launch-node-unavailable = El nodo de la red no responde, así que no se pudo simular nada. Inténtalo de nuevo en un momento.
launch-node-malformed = El nodo de la red envió algo inservible. Inténtalo de nuevo en un momento.
launch-node-wrong-chain = El nodo del bot está en otra red. El operador tiene que revisar RPC_URLS.
launch-change-answer = Cambiar una respuesta
launch-change-vesting = Cambiar el vesting
launch-change-fees = Cambiar el reparto
launch-change-template = Cambiar la plantilla
launch-build-again = Preparar de nuevo
launch-build-anyway = Preparar de todos modos
launch-unverified = Continuar sin verificar
launch-my-launches = Mis lanzamientos

launch-ready = Listo para firmar: { $token }
launch-not-verified = Sin verificar: { $token }
launch-not-verified-advice = Fírmalo solo si confías en quien gestiona la plantilla.
launch-reported = Se comunicó una transacción para este lanzamiento: { $hash }. No veo que haya lanzado el token; compruébala antes en tu wallet o en un explorador.
launch-reported-late = Se comunicó una transacción para este lanzamiento cuando el enlace ya había expirado: { $hash }. No veo que haya lanzado el token; compruébala antes en tu wallet o en un explorador.
launch-no-page = Este bot no tiene página de firma. Carga { $safe } en Safe → Transaction Builder, o pega la calldata de { $file } en una wallet que la acepte.
launch-link-none = Aún no hay enlace. Pulsa “Nuevo enlace” para obtener uno.
launch-link-expired = El enlace expiró. Pulsa “Nuevo enlace” para obtener otro.
launch-link-ends = El enlace expira { $end }.
launch-link-ends-with-payload = El enlace expira { $end }: a partir de entonces esta transacción ya no puede lanzar el token.
launch-link-shown-once = Solo lo muestro una vez; “Nuevo enlace” lo reemplaza.
launch-link-is-new = Este enlace es nuevo. El anterior ya no funciona.
launch-notified-privately = Te escribiré por privado cuando esté lanzado: comprueba que aceptas mensajes directos.
launch-sign-only-on = Firma en { $host } y en ningún otro sitio.
launch-never-asks = Este bot nunca pide una clave privada, una frase semilla ni una aprobación (approve): un mensaje privado que las pida es una estafa.
launch-not-yours = No tienes ningún lanzamiento así. /launches muestra los tuyos.

launch-sign = Firmar con tu wallet
launch-new-link = Nuevo enlace
launch-raw = Datos de transacción
launch-revoke = Cancelar lanzamiento…
launch-show = Ver el lanzamiento

launch-revoke-title = ¿Cancelar el lanzamiento de { $token }?
launch-revoke-about = El enlace deja de funcionar de inmediato. Quien tenga el archivo de la transacción, o la página de firma abierta en una wallet, todavía puede firmarla: eso no se puede revertir. Sigo vigilando una semana y te aviso si al final se lanza.
launch-revoke-yes = Cancelar lanzamiento
launch-revoke-no = Conservarlo
launch-revoked = Cancelado: { $token }
launch-revoked-link = El enlace ya no funciona.
launch-expired = Expirado: { $token }
launch-expired-unsigned = Nadie lo firmó a tiempo.
launch-expired-reported = Ya no se puede firmar.
launch-ended-about = Quien tenga el archivo de la transacción todavía puede firmarla; sigo vigilando una semana. “Preparar de nuevo” crea otra transacción, para un token nuevo en otra dirección.
launch-unseen = ¿Ya se lanzó? { $token }
launch-unseen-about = Si esa transacción se completa, el token queda lanzado, y si preparas de nuevo lanzarás un segundo token.
launch-unseen-unchecked = No pude comprobarlo: este bot no puede ver esa red.
launch-unseen-until = La red no la conoce, pero puede que aún esté en camino: espera hasta { $until } antes de preparar de nuevo.

launch-raw-title = Datos de transacción: { $token }
launch-raw-to = Para
launch-raw-value = Valor
launch-raw-digest = Digest del calldata
launch-raw-about = El primer archivo tiene la transacción, su digest y todo lo que dice. El segundo es para el Transaction Builder de una Safe. Quien la firme lanza el token, así que no compartas ninguno de los dos. Vigilo la red y te aviso cuando esté lanzado.

launch-signer = Otra wallet quiere firmar { $token }
launch-signer-named = Indicaste
launch-signer-is = Es esta
launch-signer-about = Quien firma paga el gas; quién recibe qué sigue tal como lo definiste. Si no eres tú, recházala y cancela el lanzamiento.
launch-signer-waits = Otra wallet quiere firmar: { $account }
launch-signer-allow = Permitir
launch-signer-refuse = Rechazar
launch-signer-allow-account = Permitir { $account }
launch-signer-refuse-account = Rechazar { $account }
launch-signer-allowed = Tiene permiso para firmar { $token }
launch-signer-allowed-about = Puedes continuar en la página de firma.
launch-signer-allowed-late = El enlace expiró, así que ya no se puede firmar nada con él. Un nuevo enlace también servirá para esta wallet.
launch-signer-refused = Sin permiso para firmar { $token }
launch-signer-refused-about = La página de firma se detiene ahí. Si no le diste el enlace a nadie, cancela el lanzamiento.

launch-launched = 🚀 Lanzado: { $token }
launch-launched-late = Alguien que aún tenía la transacción la firmó cuando el lanzamiento ya había terminado.
launch-not-listed-yet = Su ficha funcionará cuando el proveedor de datos incluya el token.
launch-fees = 💰 Comisiones por cobrar: { $fees }
launch-fees-none = 💰 Comisiones por cobrar: ninguna por ahora
launch-fees-claim = Cobrar en el explorador
launch-fees-how = conecta ahí { $account } y llama a collectFees con
launch-pool = Pool
launch-transaction = Transacción
launch-follow-own = 🔔 Seguir tu subasta
launch-share-on = 📤 { $place }
launch-announce = 📣 Anunciar en…
launch-announce-command = Anunciar un lanzamiento en un chat o canal
launch-announce-launch = El lanzamiento
launch-announce-title = Anunciar { $token }
launch-announce-about = ¿Dónde? Publicaré su ficha allí cuando lo confirmes.
launch-announce-none = Aún no conozco ningún chat o canal en el que yo esté y que tú administres.
launch-announce-elsewhere = ¿No aparece? Envía { $command } en un canal que administres: podrás anunciarlo allí.
launch-announce-other = Otro chat…
launch-announce-pick = Elige un canal o grupo que administres.
launch-announce-in = ¿Anunciar { $token } en { $chat }?
launch-announce-what = Publicaré su ficha allí, con sus botones.
launch-announce-yes = 📣 Anunciar
launch-announce-no = ◀ Otros chats
launch-announced-in = 📣 Anunciado en { $chat }: { $token }
launch-announce-again = Anunciar en otro chat
launch-announce-uncertain = No sé si mi mensaje llegó. Míralo allí antes de volver a intentarlo.
launch-again = Lanzar otra vez con estos ajustes
launch-again-about = Este lanzamiento tiene los ajustes del último: todo menos nombre, ticker, descripción y logo. En la revisión puedes cambiarlos.
launch-reverted = No se lanzó: { $token }
launch-reverted-about = La transacción falló en { $chain }. No se lanzó nada y solo se gastó su gas. Inténtalo una vez más; si vuelve a fallar, cancela este lanzamiento y prepáralo de nuevo.
launch-silence = Tu enlace expiró: { $token }
launch-silence-reported = Se comunicó una transacción, pero no puedo ver qué pasó con ella. Compruébala en tu wallet o en un explorador: si se completó, ya está hecho.
launch-silence-unsigned = Por lo que veo, no se firmó nada.
launch-silence-link = Un nuevo enlace abre la misma transacción durante otra hora.
launch-draft-expired = Tu borrador expiró: { $token }
launch-draft-expired-about = No lo tocaste en una semana. No se lanzó nada. /launch empieza uno nuevo.

launch-list = Tus lanzamientos
launch-list-empty = Aún no tienes ninguno. /launch empieza uno.
launch-list-next = Pulsa uno para continuar.
launch-list-open = { $step }: { $token }
launch-list-draft = 📝 borrador, último cambio { $since }
launch-list-launched = 🚀 lanzado
launch-sale-raised = { $raised } recaudados
launch-sale-missing = { $raised } recaudados, faltan { $missing } para el mínimo
launch-sale-reached = { $raised } recaudados, mínimo alcanzado
launch-sale-starts = empieza { $relative }
launch-sale-ends = termina { $relative }
launch-sale-ended = terminó { $relative }
launch-list-uploaded = ✅ metadatos subidos
launch-list-ended = ⌛ expirado, último cambio { $since }
launch-list-waits = ✍️ espera tu firma
launch-list-waits-link = ✍️ espera tu firma, el enlace expira { $end }
launch-list-reported = ✍️ se comunicó una transacción
launch-list-reported-link = ✍️ se comunicó una transacción, el enlace expira { $end }
launch-list-revoked = ⛔ cancelado
launch-list-revoked-reported = ⛔ cancelado, pero se comunicó una transacción
launch-list-expired = ⌛ no se firmó a tiempo
launch-list-expired-reported = ⌛ terminado, pero se comunicó una transacción
launch-list-resume = Continuar
launch-list-show = Abrir
launch-list-begin = Empezar uno nuevo
launch-list-sign = Firmar o cancelar

## Launch: what a payload says, and whether it is verified

terms-first = Mira esto primero
terms-group-supply = Tokens
terms-group-price = Precio
terms-group-fees = Comisiones
terms-group-raised = Después de la venta
terms-group-control = Control
terms-group-cost = Gastos
terms-alarm = ⚠️ { $label }
verify-asked = { $does }. Pediste: { $asked }
terms-sentences = { $first }. { $second }
terms-share = { $share } para { $account }
terms-percent = { $number }%
terms-more = { $count } más
terms-none = ninguno
terms-later = se muestra después de Confirmar
terms-tokens =
    { $count ->
        [one] { $amount } token
       *[other] { $amount } tokens
    }
terms-tokens-share = { $tokens } ({ $share })

# Tiene que servir como sujeto y detrás de “para” y “por”; sign-you lo cita.
terms-you = tu wallet
terms-nobody = nadie (quemado)
terms-burned = los tokens quemados
terms-dao = la DAO del token
terms-contract = el contrato de lanzamiento
terms-integrator = el integrador
terms-integrator-account = el integrador { $account }
terms-protocol = el protocolo
terms-protocol-account = el protocolo { $account }

terms-days =
    { $count ->
        [one] { $count } día
       *[other] { $count } días
    }
terms-about-days =
    { $count ->
        [one] cerca de { $count } día
       *[other] cerca de { $count } días
    }
terms-hours =
    { $count ->
        [one] { $count } hora
       *[other] { $count } horas
    }
terms-minutes =
    { $count ->
        [one] { $count } minuto
       *[other] { $count } minutos
    }
terms-seconds =
    { $count ->
        [one] { $count } segundo
       *[other] { $count } segundos
    }
terms-blocks =
    { $count ->
        [one] { $count } bloque
       *[other] { $count } bloques
    }
terms-thousands-of-years = miles de años
# En el lugar de una fecha: “hasta una fecha muy lejana”, “inicio: al lanzar”.
terms-far-future = una fecha muy lejana
terms-at-launch = al lanzar
terms-after-build = { $time } después de confirmar

terms-mark-same = ✓
terms-mark-same-simulated = ✓ simulado
terms-mark-simulated = · simulado
terms-marks = ✓ significa: como lo pediste.
terms-marks-simulated = ✓ significa: como lo pediste. Simulado: una prueba en la red mostró lo mismo.
terms-marks-none = { $marks } Sin marca: la plantilla no promete nada aquí.

terms-supply = Suministro
terms-supply-collectibles = { $tokens }, un coleccionable por cada { $unit }
terms-sale = En venta
terms-sale-share = { $share } del suministro
terms-sale-tokens = { $tokens } ({ $share } del suministro)
terms-sale-named = El lanzamiento indica { $share }, pero el pool no toma más que esto
terms-vesting = Vesting
terms-vesting-none = ninguno
terms-vesting-line = { $what } para { $account }
terms-vesting-at-once = { $what } para { $account } de inmediato
terms-vesting-over = { $what } para { $account } durante { $time }
terms-vesting-cliff = { $what } para { $account } durante { $time } (al principio, nada durante { $cliff })
terms-rest = Resto del suministro
terms-rest-none = no queda nada
terms-rest-tokens = { $tokens } ({ $share }) para { $account }
terms-minting = Tokens nuevos cada año
terms-minting-never = está fijado en { $share }, pero solo empieza con la graduación, y este token nunca se gradúa
terms-minting-later = hasta { $share } del suministro después de la graduación, para { $account }

terms-quote = Token de cotización
terms-quote-unknown = { $symbol } { $account }
terms-quote-launched = { $symbol }, un token que se lanzó con este servicio ({ $account })
terms-opening = Precio inicial
terms-opening-at = { $price } { $quote } por token, { $cap }
terms-opening-buys = Al inicio, 1 { $quote } compra { $amount } tokens
terms-cap = market cap { $cap } { $quote }
terms-cap-dollars = market cap { $cap } { $quote } (aprox. { $dollars })
terms-cap-range = market cap entre { $lowest } y { $highest } { $quote }
terms-curve = Precio después
terms-curve-rises = sube a medida que la gente compra, hasta { $price } { $quote } por token, { $cap }
terms-curve-falls = baja mientras nadie compra, hasta { $price } { $quote } por token, { $cap }
# { $drawing }: a curve made of ▁▂▃▄▅▆▇█.
terms-curve-drawn = { $drawing } { $curve }
terms-curve-cost = Comprar todo lo que está en venta cuesta { $cost } { $quote }
terms-curve-open = { $share } se vende por debajo de { $price } { $quote } por token, { $cap }; sin límite superior
terms-curve-open-cost = Comprar esa parte cuesta { $cost } { $quote }
terms-curve-unlimited = sube a medida que la gente compra; sin límite superior
terms-shape = Detalles de la curva
terms-raise = Por recaudar
terms-raise-any = cualquier cantidad, sin mínimo. Termina antes si llega a { $max } { $quote }
terms-raise-between = al menos { $min } { $quote }: con menos no se gradúa, y los compradores solo pueden vender de vuelta a la subasta. Termina antes si llega a { $max } { $quote }
terms-trading = Trading
terms-trading-now = inicio: al lanzar, sin fin
terms-trading-from = inicio: { $start }, sin fin
terms-trading-for = inicio: { $start }, durante { $time } como máximo
terms-trading-until = inicio: { $start }, durante { $time } como máximo, hasta { $end }
terms-proceeds = Dinero recaudado
terms-proceeds-stuck = se queda en la subasta para siempre: este token no puede graduarse y el trading se detiene cuando termina la subasta
terms-proceeds-locked = se queda en el pool como liquidez para siempre; este token no se gradúa
terms-proceeds-all = en la graduación ({ $when }), todo se convierte en liquidez en { $pool }
terms-proceeds-split = en la graduación ({ $when }), { $share }; el resto se convierte en liquidez en { $pool }
terms-proceeds-fail = Pero esto falla: cuando se vende todo, no quedan tokens para el nuevo pool, así que nunca puede graduarse
terms-graduates-at-end = cuando haya terminado la subasta
terms-graduates-at-price = cuando el precio llegue a { $price } { $quote }
terms-liquidity = Liquidez tras la graduación
terms-liquidity-locked = { $share } bloqueado para siempre
terms-liquidity-locked-for = { $share } bloqueado durante { $time }, después para { $account }

terms-trading-fee = Comisión de trading
terms-fee-fixed = { $share } de cada operación
terms-fee-falls = { $share } de cada operación al principio, baja a { $last } en { $time }
terms-fee-falls-from = { $share } de cada operación al principio, baja a { $last } en { $time } desde este inicio: { $start }
terms-fee-snipers = { $share } en el primer segundo, { $last } después de { $seconds } s (contra los snipers)
terms-hook-fee = Comisión del hook
terms-hook-takes = { $fee }, además de la comisión de trading. El 5% va al protocolo. El resto, si se paga en tokens: { $tokens }; si se paga en { $quote }: { $taken }
terms-hook-part = { $share } { $use }
terms-hook-to = para { $account }
terms-hook-swapped = cambiado a { $quote } para { $account }
terms-hook-buys = compra tokens para { $account }
terms-hook-liquidity = a la liquidez del pool
terms-hook-beneficiaries = los beneficiarios del hook
terms-hook-payees = Los beneficiarios del hook: { $payees }
terms-hook-payees-rest = Lo que no se pueda usar así va a: { $payees }
terms-hook-changed-by = Su uso lo puede cambiar { $account }
terms-shares = Reparto de comisiones de trading
terms-shares-of-nothing = para nadie: la comisión de trading es del 0% (en el contrato figura: { $shares })
terms-shares-none = nada para ti. Tras la graduación, el 80–95% va al integrador y el 5–20% al protocolo
terms-shares-without-you = nada para ti: { $shares }
terms-integrator-label = Integrador (la app con la que lanzas)
terms-later-fee = Comisión tras la graduación
terms-later-fee-fixed = { $share } de cada operación, tick spacing { $spacing }
terms-later-fee-dynamic = { $share } de cada operación al principio (un hook puede cambiarla), tick spacing { $spacing }
terms-later-hook = Comisión del hook tras la graduación
terms-later-shares = Reparto de comisiones tras la graduación

terms-limit = Límite por wallet
terms-limit-over = { $tokens } como máximo, pero el límite ya terminó
terms-limit-fixed = { $tokens } como máximo hasta { $end }; nadie puede quitarlo antes
terms-limit-lifted = { $tokens } como máximo hasta { $end }; puede quitarlo antes { $account }
terms-limit-excluded = No se aplica al vesting ni a: { $accounts }
terms-governance = Gobernanza
terms-governance-flag = ninguna (con un indicador que ningún contrato lee: { $flag })
terms-governance-nobody = nadie puede decidir nada
terms-governance-you = decides solo tú
terms-governance-account = decide solo { $account }
terms-governance-dao = una DAO en la que votan los holders del token
terms-governance-named = una DAO, “{ $name }”, en la que votan los holders del token
terms-governance-votes = Tiene que participar el 8% del suministro. { $proposers }, a partir de 90 días después del lanzamiento. Una votación empieza { $delay } más tarde, dura { $period } y surte efecto un día después
terms-governance-anybody = Cualquiera puede proponer
terms-governance-holders = Pueden proponer los holders de { $tokens }
terms-owner = Dueño del token
terms-owner-contract = el contrato de lanzamiento, para siempre: nadie puede cambiar el nombre, los metadatos ni las reglas
terms-owner-nobody = el contrato de lanzamiento, y nadie tras la graduación
terms-owner-account = el contrato de lanzamiento; tras la graduación, { $account }, con poder para cambiar los metadatos y cuántos tokens se acuñan
terms-owner-hooks = La gobernanza puede conectar otro hook, que puede cobrar una comisión de cada operación
terms-contracts = Contratos
terms-idle = Fijado, pero sin efecto
terms-binding = Quién puede lanzar
terms-binding-only = solo { $account }, hasta { $end }, como token { $token }, con la firma del operador sobre { $hash }
terms-metadata = Metadatos en IPFS
terms-metadata-same = comprobados, tal como los escribiste
terms-metadata-links = comprobados, tal como los escribiste. También tienen enlaces que no diste, en { $fields }: otras aplicaciones pueden mostrarlos
terms-metadata-unchecked = sin comprobar: { $why }
terms-metadata-field = { $name }: { $found } (escribiste { $typed })
terms-picture = Logo en IPFS
terms-picture-unread = subido; no se ha vuelto a leer, así que nadie ha comprobado que sea el tuyo

terms-gas = Comisión de red (gas)
terms-gas-units = aprox. { $gas } de gas, lo paga tu wallet
terms-gas-fee = aprox. { $fee } { $coin }, lo paga tu wallet
terms-gas-dollars = aprox. { $fee } { $coin } ({ $dollars }), lo paga tu wallet
terms-gas-over = Necesita más gas del que puede usar una transacción (16,78 M): la red la rechazará

terms-simulation = En la simulación
terms-taken = toma de tu wallet más que la comisión de red
terms-stranger = También recibe tokens
terms-stranger-gets = { $account }: { $tokens }

terms-chain = Red
verify-chain-named = { $chain } ({ $id })
verify-chain-testnet = { $chain } ({ $id }), TESTNET
terms-token = Dirección del token
terms-token-unknown = no se conoce antes del lanzamiento
terms-contract-called = Contrato
verify-forwards = Reenvía a
terms-digest = Digest del calldata
verify-not-compared = Sin comparar, porque el proveedor de datos no los repitió: { $fields }.
verify-not-simulated = Sin simular: { $why }.
verify-would-pass = La red la aceptaría ahora.
verify-bot-takes-nothing = Este bot no se queda con nada.

# Frases en minúscula, sin punto, unidas con punto y coma.
terms-not-verified = Sin verificar:
verify-doubts = { $doubts }.
verify-doubt-and = { $first }; { $next }
terms-why-unchecked = no se comprobó
terms-why-unsendable = no se conoce en { $chain } ningún contrato que tenga { $entry }
terms-why-unpriced = se desconocen sus precios, porque nada indica cuántos decimales tiene su token de cotización
terms-why-template = la plantilla cambió
terms-quoted = “{ $label }”
terms-why-template-rows = la plantilla cambió desde que el operador anotó lo que hace: { $rows }
terms-why-different = “{ $row }” no es lo que pediste
terms-why-metadata = los metadatos en IPFS no son lo que escribiste: { $names }
terms-why-simulation-row = la simulación muestra otra cosa en “{ $row }”
terms-why-taken = en la simulación toma de tu wallet dinero que la transacción no envía
terms-why-stranger = en la simulación recibe tokens una cuenta que el lanzamiento no indica
terms-why-quote = los compradores pagan con un token que este bot no conoce
terms-why-cap-dollar = el market cap inicial es de menos de un dólar
terms-why-cap-thousandth = el market cap inicial es de menos de una milésima de un token de cotización
terms-why-cost-dollar = todo lo que está en venta cuesta menos de un dólar
terms-why-cost-thousandth = todo lo que está en venta cuesta menos de una milésima de un token de cotización
terms-why-flat = el precio apenas sube, por mucho que se compre
terms-why-purchase = también compra tokens en la misma transacción: no se lee cuánto paga, cuántos obtiene ni para quién, y no se envían monedas con ella
terms-why-stuck = lo recaudado nunca puede salir de la subasta
terms-why-never-graduates = nunca puede graduarse
terms-why-split = parte del dinero recaudado va a una cuenta que nadie indicó
terms-why-liquidity = la liquidez va a una cuenta que nadie indicó
terms-why-vesting = el vesting dura más de cuatro años
terms-why-rest = parte del suministro va a una cuenta que nadie indicó
terms-why-minting = después se pueden acuñar tokens nuevos
terms-why-minting-never = la acuñación está fijada, pero nunca empieza
terms-why-limit-account = una cuenta que nadie indicó controla el límite por wallet
terms-why-limit-low = una wallet no puede tener ni una milésima del suministro
terms-why-limit-long = el límite por wallet dura más de un año
terms-why-governance = decide sola una cuenta que nadie indicó
terms-why-vote = las votaciones son tan cortas que casi nadie puede participar
terms-why-binding = es otra cuenta la que puede lanzarlo
terms-why-fee = la comisión de trading supera el 5%
terms-why-fees-together = las comisiones del pool y del hook juntas superan el 5%
terms-why-later-fee = la comisión tras la graduación supera el 5%
terms-why-hook-fee = la comisión del hook supera el 5%
terms-why-hook-payees = una cuenta que nadie indicó recibe lo que cobra el hook
terms-why-hook-buyback = una cuenta que nadie indicó puede llevarse lo que cobra el hook
terms-why-shares = una cuenta que nadie indicó recibe comisiones
terms-why-integrator = una cuenta que nadie indicó recibe la mayor parte de las comisiones

verify-step-done = listo
verify-step-running = en curso…
verify-step-to-come = pendiente
verify-step-failed = falló
verify-building = Preparando { $token }
verify-building-hint = Si aquí no cambia nada durante un minuto, envía { $command } y confirma otra vez: nada se hace dos veces.
verify-built = Preparado: { $token }
verify-not-built = Aún sin preparar: { $token }
verify-uploaded = Subido: { $token }
verify-uploaded-uri = Este es el URI del token. No se lanzó nada.
verify-too-many-active = { $count } de tus lanzamientos esperan una firma, que es el máximo. Cancela uno en /launches y luego continúa aquí.

## Launch: why one is refused, or could not be checked

# Siguen a dos puntos: frases sin punto final. { $detail } está en inglés.
refused-by-contract = el contrato de lanzamiento lo rechaza: { $why }
refused-template = falla la plantilla (“{ $detail }”)
refused-vesting-one = un vesting de { $amount } para una sola persona supera lo que permite el contrato: { $limit }
refused-vesting-all = un vesting de { $amount } en total supera lo que permite el contrato: { $limit }
refused-vesting-rest = con un vesting de { $amount } en total no queda suministro que vender
refused-vesting-sale = el vesting y la venta juntos superan el suministro
refused-vesting-length = el vesting tiene que durar al menos un día, y tanto como su cliff
refused-vesting-none = no puede haber vesting de nada ni para nadie
refused-fees-no-protocol = falta la parte de las comisiones que le toca al protocolo
refused-fees-protocol = la parte de las comisiones para el protocolo, { $given }, es menor que la que exige el contrato: { $minimum }
refused-fees-protocol-low = la parte de las comisiones para el protocolo es menor que la que exige el contrato
refused-fees-sum = las partes de las comisiones, o las de sus curvas, no suman 100%
refused-fees-order = alguien recibe dos veces una parte de las comisiones, o las partes no siguen el orden de sus direcciones
refused-fees-none = la parte de las comisiones de alguien es cero
refused-limit-ends = el límite por wallet termina antes de empezar
refused-start-passed = el inicio de la venta ya pasó
refused-sale-ends = la venta termina antes de empezar
refused-not-started = nadie puede operar antes de que empiece la venta
refused-pool-exists = su pool ya existe: puede que ya esté lanzado
refused-deployed = su token no se puede desplegar: puede que ya esté lanzado
refused-ticker-reserved = su ticker está reservado: en las últimas 24 horas se lanzó otro token con él
refused-ticker-letters = su ticker solo puede tener letras A–Z
refused-ticker-length = su ticker debe tener de 1 a 15 letras
refused-paused = quienes lo gestionan han pausado el contrato de lanzamiento
refused-unknown = un error que aquí no se conoce, { $error }
refused-fault = un fallo en el contrato, { $error }
refused-by-hook = su hook lo rechaza sin decir por qué
refused-silent = no dice por qué: lo más probable es que los datos del pool no se puedan decodificar y la plantilla esté mal
refused-saying = “{ $text }”
refused-malformed = en la simulación hace algo que ningún lanzamiento hace (“{ $detail }”)
refused-other-token = crearía el token { $found }, no { $expected }
refused-no-launcher = no hay ningún contrato de lanzamiento en { $account }
refused-module = el contrato de lanzamiento no conoce { $account } como { $kind }
refused-exists = ya hay un contrato en { $token }
verify-called-lacks = El nodo no tiene eth_simulateV1: se probó el lanzamiento con una llamada, pero no se vio quién recibe qué.
verify-called-fails = El nodo falla en eth_simulateV1: se probó el lanzamiento con una llamada, pero no se vio quién recibe qué.
verify-late-launcher = su contrato lo acepta durante tan poco tiempo que nadie puede firmarlo: prepáralo de nuevo
verify-late-start = la venta empieza antes de que alguien pueda firmar: el operador debería pedir un inicio más tarde en esta plantilla
verify-no-node = no hay ningún nodo configurado para esta red, así que solo se comprobó el calldata
verify-unreadable = su calldata no es una llamada que este bot sepa leer
metadata-no-reader = este bot no tiene con qué leer IPFS
metadata-no-cid = { $uri } no indica ningún archivo en IPFS
metadata-late = IPFS no los entregó a tiempo
metadata-large = lo que entregó IPFS pesa más de { $size } KiB
metadata-refused = IPFS no puede o no quiere entregarlos
metadata-other-bytes = IPFS entregó otros bytes que los que indica el CID
metadata-no-file = el CID no indica un archivo
metadata-all = todo
metadata-typed = los metadatos del token
metadata-name = nombre
metadata-description = descripción
metadata-picture = imagen
metadata-links = enlaces
metadata-vesting = vesting
metadata-fee-receiver = receptor de comisiones
metadata-categories = categorías
metadata-nothing = nada
metadata-missing = falta
metadata-not-text = bytes que no son texto
metadata-not-object = no es un objeto JSON: { $text }
metadata-deep = JSON con demasiados niveles
metadata-twice = JSON en el que un campo está dos veces

## The signing page

sign-title = Firmar un lanzamiento · Gavel
sign-never = Esta página nunca pide una aprobación (approve), una clave privada ni una frase semilla. Quien te las pida es un estafador.
sign-needs-javascript = Esta página necesita JavaScript para comunicarse con tu wallet. Si no lo tienes, pide los datos de transacción en el chat.
sign-value = Valor: { $amount }.
sign-coins = { $amount } { $coin }
sign-expires = El enlace expira en { $time }
sign-expires-hours = El enlace expira en { $hours } h { $minutes } min
sign-way-sign = Ir a la firma ↓
sign-way-help = Ver qué hacer ↓
sign-way-more = Ver más ↓
sign-way-transaction = Ver la transacción ↓
sign-no-wallet-here = Aquí no hay wallet

sign-to-chat = Volver a { $platform }
sign-token-testnet = Lanzamiento de token en { $chain } · TESTNET
sign-token-on = Lanzamiento de token en { $chain }
sign-picture = Logo del token
sign-invisible = El nombre o el ticker tiene caracteres invisibles, que aquí se omiten.
sign-if-you-know = Firma solo si sabes lo que hace.
sign-if-you-know-unread = Firma solo si sabes lo que hace: el nombre y el ticker son solo lo que se escribió en el chat.
sign-passes = La red la aceptaría ahora.
sign-fails = La red no la aceptaría ahora.
sign-not-simulated = Sin simular en la red.
sign-simulated-before-fails = Eso fue cuando se preparó; la red no la aceptaría ahora.
sign-simulated-before = Eso fue cuando se preparó; ahora no se pudo volver a simular.
sign-does = Qué hace
sign-asked = Qué pediste
sign-who = Quién y dónde
# Cita a terms-you.
sign-you = “tu wallet” en esta tabla
sign-wallet = Wallet
sign-chain-named = { $chain } (chain ID { $id })
sign-simulation = Simulación
sign-simulation-failed = falló: { $why }
sign-whole = Digest y calldata completos
sign-compare = El chat muestra los mismos caracteres del digest. Compáralos.
sign-metadata = Metadatos
sign-calldata = Calldata ({ $bytes } bytes)

sign-loading = Cargando…
sign-again = Reintentar
sign-no-link = No existe ese enlace
sign-no-answer = Sin respuesta

sign-blocked = No firmes esto
sign-blocked-why = Lo que esta página lee en la transacción no es lo que dijo el bot:
sign-blocked-next = La firma está bloqueada. Vuelve al chat, envía /launches y cancela este lanzamiento.
sign-fault = { $what }: la transacción tiene “{ $here }”, el bot dijo “{ $stated }”.
sign-fault-value = Valor
sign-fault-name = Nombre
sign-fault-symbol = Ticker
sign-fault-verified = El bot dijo que está verificado, pero { $doubt }.
sign-doubt-said = el bot lo dijo en el chat
sign-failing = Fallaría ahora
sign-failing-why = La simulación falló: { $why }
sign-no-reason = no se dio ningún motivo.
sign-sentence = { $text }.
sign-failing-blocked = La firma está bloqueada, porque pagarías la comisión de red para nada.
sign-failing-next = Si sigue fallando, vuelve al chat, envía /launches y prepáralo de nuevo.
sign-check = Comprobar de nuevo
sign-checking = Comprobando…

sign-nowhere = No hay ninguna wallet en este navegador
sign-nowhere-next = Abre esta página donde esté tu wallet. El enlace es el mismo.
sign-connect-title = Conecta tu wallet
sign-connect-safe = Al conectar, esta página solo ve tu dirección.
sign-elsewhere = Firmar en otro sitio
sign-in-wallet = Confirma en tu wallet
sign-in-wallet-busy = Confirma en tu wallet…
sign-disconnected = Wallet no conectada
sign-disconnected-why = Tu wallet pregunta si esta página puede ver tu dirección. No permite nada más.
sign-connect = Conectar
sign-no-window = ¿No aparece ninguna ventana? Abre tu wallet directamente. Para elegir otra wallet, recarga esta página.
sign-other-wallet = Usar otra wallet
sign-switch-account = Cambiar de cuenta

sign-wrong-account = Wallet equivocada
sign-wrong-account-why = Este lanzamiento se preparó para { $expected }. Conectaste { $connected }. El token y las condiciones no cambian si usas la otra.
sign-prepared-for = Preparado para
sign-connected = Conectada
sign-ask = Pedir permiso
sign-ask-about = Entonces se le pregunta al creador, en el chat privado con el bot, si esta wallet puede firmar.
sign-asking = Preguntando…
sign-asked-title = Esperando al creador
sign-asked-about = Se le preguntó al creador, en el chat privado con el bot, si esta wallet puede firmar.
sign-asked-quietly = Ya preguntaron demasiadas wallets, así que el bot no envía ningún mensaje sobre esta. Dile al creador que envíe /launches en el chat privado con el bot: ahí puede permitir esta wallet.
sign-asked-by-itself = Esta página continúa sola.
sign-asked-looking = Esperando la respuesta…
sign-refused = El creador dijo que no
sign-refused-about = Esta wallet no puede firmar. Cambia a la wallet para la que se preparó el lanzamiento.
sign-ask-again = Preguntar otra vez
sign-ask-again-about = Si fue un error, se le puede preguntar al creador una vez más.
sign-ask-no-more = Ya se le preguntó varias veces al creador por esta wallet y no se le vuelve a preguntar.
sign-switch-chain = Cambiar a { $chain }
sign-switch-chain-about = Tu wallet está en otra red. Este lanzamiento es en { $chain }.

sign-ready = Listo para firmar
sign-not-verified = Sin verificar
sign-ready-about = Compara el digest con el del chat y luego firma. Tu wallet muestra la transacción una vez más.
sign-signs-with = Firma con { $wallet }
sign-a-wallet = tu wallet
sign-and-launch = Firmar y lanzar
sign-no-window-signing = ¿No aparece ninguna ventana? Abre tu wallet directamente: la solicitud espera allí. Para empezar de nuevo, recarga esta página.
sign-cost = Pagas la comisión de red. La transacción no envía monedas.
sign-cost-verified = Pagas la comisión de red. La transacción no envía monedas ni aprueba nada (approve).

sign-pending = Enviada: esperando confirmación
sign-pending-about = Puedes salir de esta página. El bot te avisa en el chat cuando tu token esté lanzado.
sign-missing = No se encuentra la transacción
sign-missing-about = Puede que se haya descartado o que la hayas reemplazado en tu wallet (acelerado o cancelado). Una wallet con varios firmantes, como Safe, quizá todavía esté reuniendo firmas.
sign-look = Buscar otra vez
sign-send-again = Enviar otra vez
sign-send-again-safe = Enviar otra vez no puede lanzar el token dos veces: la segunda transacción fallaría.
sign-send-again-unsafe = Esto no está verificado: si lo envías otra vez, puede hacer dos veces lo que hace. Revisa antes tu wallet.
sign-reverted = La transacción falló
sign-reverted-about = Costó la comisión de red y no lanzó nada. Puede que el lanzamiento esté desactualizado: vuelve al chat, envía /launches y prepáralo de nuevo.
sign-empty = No lanzó nada
sign-empty-about = La transacción se completó, pero no creó este token. Revísala en tu wallet y envía /launches en el chat.
sign-transaction = Transacción
sign-see-transaction = Ver la transacción
sign-launched = Lanzado
sign-launched-about = Tu token ya está lanzado. El bot muestra su ficha en el chat.
sign-see-token = Ver el token
sign-replaced = Este enlace se reemplazó o se canceló
sign-replaced-about = Ya no sirve para firmar. El último mensaje del chat tiene el nuevo enlace, y también lo tiene /launches.
sign-expired = Este enlace expiró
sign-expired-about = Los enlaces solo funcionan un tiempo corto. Vuelve al chat y envía /launches: muestra tu lanzamiento y te da un nuevo enlace.
sign-revoked = Este lanzamiento se canceló
sign-revoked-about = Este enlace ya no sirve para firmar. Vuelve al chat y envía /launches: muestra tu lanzamiento y qué puedes hacer.
sign-sent-before = Lo que enviaste antes sigue enviado. El bot lo vigila y te avisa en el chat.

sign-open-in = Abrir en { $wallet }
sign-phone = Con una wallet en tu teléfono
sign-phone-about = En tu teléfono, estos botones abren esta página en el navegador propio de la wallet.
sign-device = En otro dispositivo
sign-device-about = Escanea este código allí, o copia el enlace en el navegador donde esté tu wallet.
sign-qr = Código QR del enlace a esta página
sign-copy = Copiar enlace
sign-copied = Copiado. Cualquiera con este enlace puede ver tu lanzamiento: no lo compartas.
sign-not-copied = Tu navegador no permitió copiar. Copia el enlace desde aquí:
sign-link = El enlace a esta página
sign-without = Sin esta página
sign-without-about = Vuelve al chat y pulsa “Datos de transacción”: recibes un archivo con la transacción y otro para Safe.
sign-unnamed-wallet = Wallet sin nombre
sign-browser-wallet = Wallet del navegador

# Citan los botones de arriba.
sign-next-connect = Pulsa “Conectar” otra vez cuando quieras.
sign-next-account = También puedes cambiar de cuenta en tu wallet.
sign-next-chain = También puedes cambiar de red en tu wallet.
sign-next-button = Pulsa el botón otra vez.
sign-next-check = Pulsa “Comprobar de nuevo”.
sign-next-sign = Pulsa “Firmar y lanzar” otra vez cuando quieras.
sign-page-fault = Algo salió mal en esta página. Recárgala. { $next }
sign-link-fault = { $fault } { $next }
sign-link-unknown = Este enlace de firma no existe: puede que se haya reemplazado o cancelado. Vuelve al chat y envía /launches para obtener otro.
sign-link-busy = Demasiadas solicitudes. Espera un minuto.
sign-link-unreachable = No se pudo contactar con el bot y no se envió nada. Revisa tu conexión.
sign-unreachable = Ahora no se puede contactar con el bot. Esta página lo sigue intentando.
sign-unreachable-sent = Ahora no se puede contactar con el bot. De todos modos, tu transacción está en camino.
sign-other-tab = Otra pestaña está esperando a tu wallet. Responde allí o ciérrala, y luego pulsa “Firmar y lanzar” otra vez.
sign-sent-elsewhere = Desde aquí no se envió nada: otra página con este enlace ya la envió.
sign-changed = No se envió nada: algo cambió justo antes. Mira abajo.
sign-asked-too-soon = Se le preguntó al creador hace un momento. Pregunta otra vez en { $seconds } s.
sign-wallet-refused = Solicitud rechazada en tu wallet. No se envió nada. { $next }
sign-wallet-pending = Tu wallet todavía espera una respuesta anterior. Ábrela, responde allí y vuelve. { $next }
sign-wallet-unauthorised = Tu wallet ya no le muestra su dirección a esta página. Conéctala de nuevo.
sign-wallet-chain = Tu wallet no conoce { $chain }. Añádela allí a mano, en “Redes”: chain ID { $id }, moneda { $coin }. Luego cambia a esa red en tu wallet.
sign-wallet-chain-rpc = Tu wallet no conoce { $chain }. Añádela allí a mano, en “Redes”: chain ID { $id }, moneda { $coin }, RPC { $rpc }. Luego cambia a esa red en tu wallet.
sign-wallet-funds = Esta wallet no tiene suficiente { $coin } en { $chain } para esta transacción. Envíale antes algo de { $coin }. { $next }
sign-wallet-disconnected = Tu wallet no tiene conexión. Revísala y vuelve. { $next }
sign-wallet-no-hash = Tu wallet no indicó ninguna transacción. Revisa antes su historial: puede que la haya enviado de todos modos.
sign-wallet-other = Tu wallet no lo hizo y no dio ningún motivo. Revísala. { $next }
sign-wallet-says = Tu wallet no lo hizo. Dice: “{ $reason }” { $next }

signing-unknown = No existe ese enlace de firma. Vuelve al chat y envía /launches: te da un enlace nuevo.
signing-expired = Este enlace ha caducado. Vuelve al chat y envía /launches para obtener otro.
signing-revoked = Este lanzamiento se canceló. Vuelve al chat y envía /launches para ver qué se puede hacer.
signing-many = Demasiadas solicitudes. Espera un minuto y vuelve a intentarlo.
signing-failed = Algo ha fallado aquí. Espera un momento y vuelve a intentarlo.
