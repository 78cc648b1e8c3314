# Türkçe Gavel. Burada olmayan metinler İngilizce gösterilir.
#
# Bir kavrama bir söz: auction – müzayede, upcoming – yakında (sıfat: yaklaşan), live – canlı (olay: başlar), graduated – mezun,
# raised – toplanan, quote token – karşıt token, alert – alarm, launch – lansman (fiil: çıkarmak), draft – taslak, ticker – ticker,
# wallet – cüzdan, sign – imzalamak, payload – işlem verisi, vesting – vesting, fees – komisyon (ağınki: ağ ücreti), supply – arz,
# market cap – piyasa değeri, price – fiyat, watchlist – izleme listesi, follow – takip, creator – oluşturan, chain – ağ,
# daily summary – günlük özet, data provider – veri sağlayıcı, operator – operatör, seed phrase – kurtarma kelimeleri,
# private key – özel anahtar, approval – harcama onayı (approve), calldata digest – calldata özeti, template – şablon.
# Kime ne gittiği okla yazılır (“%5 → siz”): adres ya da söz ek almaz. Değişkenlere ek getirilmez. Hitap: siz; düğmeler: Ekle, Kaldır.

## Commands and platforms

# En fazla 120 karakter.
profile-short = Müzayedeyle satılan tokenları bulun, izleyin, çıkarın. Size, grubunuza veya kanalınıza alarmlar.
# En fazla 512 karakter.
profile-description =
    Müzayedeyle satılan tokenları bulun, takip edin ve çıkarın.

    🔎 Bir ad, $ticker veya kontrat adresi gönderin
    🔔 Size, grubunuza veya kanalınıza alarm
    🚀 Token çıkarın, kendi cüzdanınızla imzalayın

    Sizden kurtarma kelimelerinizi (seed phrase) veya özel anahtarınızı asla istemem.

command-private-only = Bunu bana özel sohbette gönderin.
command-needs = { $command } için gerekli: { $what }. Örneğin: { $example }
command-option-refused = { $option } { $why }
command-no-values = Sadece { $command } gönderin; ayrıntıları ben sorarım.
command-value-twice = { $option } iki kez verilmiş: “{ $typed }” olarak ve adıyla. Bir kez verin.
command-option-twice = { $option } iki kez verilmiş. Bir kez verin.
command-option-empty = { $option } için bir değer gerekli.
command-takes-no-options = { $command } komutunda “{ $option }” seçeneği yok: hiç seçenek almaz. Metni olduğu gibi kullanmak için "düz tırnak" içine alın.
command-option-unknown = { $command } komutunda “{ $option }” seçeneği yok. Seçenekler: { $options }. Metni olduğu gibi kullanmak için "düz tırnak" içine alın.
command-option-misspelt = { $command } komutunda “{ $option }” seçeneği yok. Şunu mu demek istediniz: { $meant }? Seçenekler: { $options }. Metni olduğu gibi kullanmak için "düz tırnak" içine alın.
command-unknown = /{ $name } diye bir komut yok. Bakın: { $help }
command-misspelt = /{ $name } diye bir komut yok. Şunu mu demek istediniz: { $meant }? Bakın: { $help }
command-text-empty = Aranacak bir şey yazın, örneğin { $example }
command-text-too-long = Çok uzun: { $length } karakter, en fazla { $max } olabilir.
command-number-range = “{ $typed }”, { $min } ile { $max } arasında bir tam sayı değil.
command-choice-unknown = “{ $typed }” bilinmiyor. Şunlardan biri olmalı: { $choices }.
command-line-too-long = Çok uzun. Bir komut en fazla { $max } karakter olabilir.
command-answered = Bu zaten yanıtlandı.
flood-group = Bir grup için çok fazla istek. Bana özel sohbette sorun veya { $seconds } sn bekleyin.
flood-person = Aynı anda çok fazla istek. { $seconds } sn bekleyip tekrar gönderin.
blocked-notice = Artık bu botu kullanamazsınız: operatörü sizi engelledi. Bu konudaki tek mesaj budur.
announcement-title = 📣 Bu botun operatöründen

view-shortened = Kısaltıldı: tamamı buraya sığmıyor.
view-open-one = Birini aç
private-invitation = Özel sohbetimizde devam edelim, böylece yalnızca siz görürsünüz.
private-open = Özel sohbeti aç
linked-title = Bunu istiyor musunuz?
linked-what = Açtığınız bağlantı bir şeyi değiştiriyor. Çalıştıracağı komut:
linked-ignore = Bunu istemediyseniz hiçbir şey yapmayın.
linked-confirm = Yap
file-too-big = Bu dosya çok büyük. En fazla { $limit } olan bir dosya gönderin.
file-not-given = { $platform } bu dosyayı iletmedi. Tekrar gönderin.
telegram-unchanged = Hiçbir şey değişmedi.
telegram-unchangeable = Bu mesaj artık değiştirilemez.
telegram-picker = Mesaj kutusunun altındaki düğmelerle seçin.
telegram-picked = Seçildi.
telegram-buttons-too-old = Bu düğmeler çok eski. Komutu tekrar gönderin.
telegram-too-many = Aynı anda çok fazla istek. Yanıtları bekleyip devam edin.
# En fazla 64 karakter.
telegram-inline-ask = Ad, ticker veya adres yazın
telegram-inline-none = Eşleşme yok. Sohbette göz atın
discord-button-too-old = Bu düğme çok eski. Komutu tekrar gönderin.
discord-form-too-old = Bu form çok eski. Komutu tekrar gönderin.
discord-form-too-slow = Çok uzun sürdü. Düğmeye tekrar basın.
discord-form-too-long = Çok uzun. Formu tekrar açıp daha kısa yazın.
settings-about = Bu sohbetin dili ve sessiz saatleri
settings-title = Ayarlar
settings-title-chat = Bu sohbetin ayarları
settings-language = Dil
settings-language-about = Buradaki yanıtlarımın ve alarmlarımın dili
settings-language-auto = Otomatik
settings-language-hint = Otomatik: Telegram veya Discord’daki kendi diliniz. Alarmlar, onları kuran kişinin dilinde gelir.
settings-on = Açık
settings-off = Kapalı
settings-quiet = Sessiz saatler
settings-quiet-about = Alarmların beklediği saatler ya da off
settings-quiet-hours = { $hours } ({ $zone })
settings-quiet-off = 🌙 { settings-off }
settings-quiet-hint = Sessiz saatlerde alarmlar birikir ve sonunda birlikte gelir; o sırada bitmiş olanlar gelmez. Günlük özet kendi saatinde gelir. Kendi saatleriniz: { $line }
settings-quiet-unreadable = “{ $typed }” bir saat aralığı değil. { $example } ya da { $off } yazın.
settings-zone-about = Sessiz saatlerin saat dilimi
settings-cards = Adres ve $ticker kartları
settings-cards-about = Bu gruptaki adreslere ve $ticker’lara kartla yanıt verilsin
settings-cards-hint = Her token için dakikada bir kart gelir. Burada yazılanları yalnızca yöneticiysem ya da gizlilik modum (privacy mode) kapalıysa görürüm.
settings-cards-where = Bu, Telegram grupları içindir. Bir grupta gönderin.
settings-cards-turn-on = Kartları aç
settings-cards-turn-off = Kartları kapat
address-start = Adres 0x ile başlar, ardından 40 karakter gelir.
address-digits = Adreste 0x’ten sonra yalnızca 0–9 rakamları ve a–f harfleri bulunur.
address-length = Adreste 0x’ten sonra 40 karakter olur, bunda { $length } var. Tamamını yeniden kopyalayın.
address-checksum = Bu adresin büyük harfleri sağlama toplamıyla (checksum) uyuşmuyor; muhtemelen bir karakter yanlış. Yeniden kopyalayın. Doğruluğundan eminseniz küçük harflerle yazın.

# Names such as ada.eth instead of addresses. `$account` is an address of 42 characters.
# `$allowed` is what an address looks like, a sentence.
name-allowed = { $allowed } Ya da { $example } gibi bir ad.
name-is = { $name } şu adrestir: { $account }. Ad sonradan değişse bile bu adres kullanılır.
name-is-odd = { $name } şu adrestir: { $account }. Ad sonradan değişse bile bu adres kullanılır. ⚠️ Ad yalnızca a–z harflerinden oluşmuyor: adresi kontrol edin.
name-account = { $name } ({ $account })
name-no-node = { $name } adına bakamıyorum: bu bot { $chain } ağına bağlı değil. Adresi gönderin (0x…).
name-unavailable = Şu anda { $name } adına bakamadım. Bir dakika sonra yeniden deneyin ya da adresi gönderin (0x…).
name-ending = { $name } adına bakamıyorum: yalnızca .eth ile biten adlar olur. Adresi gönderin (0x…).
name-invalid = { $name } geçerli bir ad değil ve başka birini taklit ediyor olabilir. Kendiniz yeniden yazın ya da adresi gönderin (0x…).
name-other-form = { $name } adların yazıldığı biçimde değil. { $normal } demek istiyorsanız onu ya da adresi gönderin (0x…).
name-unknown = { $name } için adres bulamadım. Yazımını kontrol edin ya da adresi gönderin (0x…).
name-offchain = { $name } zincir dışındaki bir sunucuda tutuluyor, kontrol edemem. Adresi gönderin (0x…).
# `$from` and `$chain` are chains, such as Ethereum.
name-contract = { $name } { $from } ağında bir kontrat ve { $chain } ağında olmayabilir: oraya gönderilen kaybolabilir. { $chain } için kullanılacak adresi gönderin (0x…).

## Assets: cards, lists, search, /start, /help

inline-worth = { $price } · Piyasa değeri { $cap } · { $where }
inline-worth-price = { $price } · { $where }
inline-worth-cap = Piyasa değeri { $cap } · { $where }
token-unnamed = Adsız
token-unnamed-with-symbol = Adsız { $symbol }
money-in-token = { $amount } { $symbol }

status-live = 🟢 Canlı
status-upcoming = 🕒 Yakında
status-graduated = 🎓 Mezun
status-failed = ⏸️ Bitti, mezun olmadı
status-ended = ⏹️ Bitti
status-live-word = Canlı
status-upcoming-word = Yakında
status-graduated-word = Mezun
status-failed-word = Bitti, mezun olmadı
status-ended-word = Bitti
status-as-reported = { $status } ({ $reported })
# Değeri olmayan test ağı.
chain-testnet = { $name } (TESTNET)
list-testnet = TESTNET
asset-where = { $chain } · { $status }

asset-price = Fiyat
asset-market-cap = Piyasa değeri
asset-liquidity = Likidite
asset-volume-24h = Hacim (24 sa)
asset-raised = Toplanan
asset-sold = Satılan
asset-starts = Başlıyor
asset-start = Başlangıç
asset-ends = Bitiyor
asset-ended = Bitti
asset-created = Oluşturuldu
asset-creator = Oluşturan
asset-fee-receiver = Komisyon alıcısı
asset-vesting = Vesting
asset-categories = Kategoriler
field = { $label }: { $value }
field-label = { $label }:
asset-mc = MC { $amount }
asset-starts-when = { $relative } başlıyor · { $date }
asset-started-when = { $relative } başladı · { $date }
asset-ends-when = { $relative } bitiyor · { $date }
asset-ended-when = { $relative } bitti · { $date }
asset-change-24h = { $change } (24 sa)
asset-figure-beside = { $label } { $amount }
asset-share-sold = { $share } satıldı
asset-sold-of = { $sold } / { $total }
asset-raised-min-max = { $raised } (min { $min }, maks { $max })
asset-raised-min = { $raised } (min { $min })
asset-raised-max = { $raised } (maks { $max })
asset-graduated-on-to = Mezun oldu: { $date } → havuz { $pool }
asset-graduated-on = Mezun oldu: { $date }
asset-graduated-to = Mezun oldu → havuz { $pool }
asset-graduated = Mezun oldu
asset-vesting-share = %{ $share } → { $who }
risk-fake = 🔴 Sahte: veri sağlayıcıya göre bu, göründüğü token değil.
risk-fake-why = 🔴 Sahte: { $why }
risk-first = Oluşturanın ilk tokenı
risk-others = Oluşturan: { $count } token daha
risk-others-at-least = Oluşturan: en az { $count } token daha
risk-graduated = { $count } mezun
risk-failed = { $count } başarısız
risk-vested = %{ $share } vestingde
risk-vested-own = %{ $share } vestingde (%{ $own } oluşturana)
risk-alike = ⚠️ { $symbol } adında { $count } token daha var
risk-alike-at-least = ⚠️ { $symbol } adında en az { $count } token daha var

card-starts = Başlangıç: { $when }
card-ends = Bitiş: { $when }
card-ended = Bitti: { $when }
card-graduated = Mezuniyet: { $when }
card-gone = Artık listede yok
card-not-graduated = Mezun olmadı
card-in-a-day = 24 saatte
card-over-minutes = { $count } dk içinde
card-over-hours = { $count } sa içinde
card-over-days = { $count } gün içinde
list-more = { $count } tane daha
data-stale = Veri sağlayıcıya ulaşılamıyor – gösterilen veriler { $when } alındı.

# Düğmeler: en fazla 20 karakter kadar.
asset-button-copy = 📋 Adresi kopyala
asset-button-details = Ayrıntılar
asset-button-refresh = Yenile
asset-button-auction = Müzayede
asset-button-asset = Token
asset-button-card = Kart
asset-button-alerts = 🔔 Alarmlar
asset-button-explorer = Explorer
asset-button-pool = Havuz

auction-title = Müzayede: { $name }
auction-sells = Satılan
auction-sold-for = Ödeme tokenı
auction-token = Token
auction-quote-token = Karşıt token
auction-pool-id = Havuz kimliği

lookalike-letters = ⚠️ Benzer görünen harflerle yazılmış: { $like } gibi okunuyor ama o değil.
lookalike-same = ⚠️ Adı, tanınmış bir coin olan { $like } ile aynı. Adresi kontrol edin: bu başka bir token olabilir.
lookalike-link = ⚠️ Adı bir bağlantıya benziyor ({ $link }). Açmayın.
lookalike-mixed = ⚠️ Latin harfleriyle { $script } harfleri karışık: başka bir ad sanılabilir.
lookalike-own-letters = “{ $name }” benzer görünen harflerle yazılmış: tanınmış bir coin olan { $like } gibi okunuyor ama o değil. Kullanıcılar bir uyarı görecek.
lookalike-own-same = “{ $name }” tanınmış bir coinin adı. Kullanıcılar ikisini karıştırabilir ve bir uyarı görecek.
lookalike-own-link = “{ $name }” bir bağlantıya benziyor ({ $link }). Kullanıcılar bir uyarı görecek.
lookalike-own-mixed = “{ $name }” adında Latin harfleriyle { $script } harfleri karışık. Kullanıcılar bir uyarı görecek.
script-cyrillic = Kiril
script-greek = Yunan
script-armenian = Ermeni
script-cherokee = Çeroki
script-coptic = Kıpti
script-lisu = Lisu

# Komut açıklamaları: en fazla 100 karakter.
search-about = Ad, ticker veya adresle token arayın
asset-about = Bir tokenın kartını gösterir
assets-about = Token listesi: canlı, yaklaşan veya mezun müzayedeler
auction-about = Bir tokenın müzayedesini gösterir
start-about = Buradan başlayın
help-about = Tüm komutlar

start-title = Gavel – token müzayedeleri
start-text = Müzayedeyle satılan tokenları bulun, izleyin ve çıkarın.
start-send-name = 🔎 Bir ad, $ticker veya kontrat adresi gönderin – kartı gelsin
start-search = 🔎 { $command } – ad, $ticker veya adresle token bulun
start-alerts = 🔔 { $command } – müzayede ve fiyat alarmları alın
start-launch = 🚀 { $command } – kendi tokenınızı çıkarın
start-never-asks = Size özelden yalnızca açtığınız alarmlar için yazarım. Kurtarma kelimelerinizi (seed phrase) veya özel anahtarınızı asla istemem.
start-button-launch = 🚀 Token çıkar
start-button-live = 🟢 Müzayedeler
start-button-newest = 🆕 En yeniler
start-button-alerts = 🔔 Alarmlar
start-button-help = ❔ Yardım
start-button-group = ➕ Gruba ekle
start-button-channel = 📣 Kanala ekle
start-button-server = ➕ Sunucuya ekle

welcome-title = Merhaba, ben Gavel
welcome-text = Müzayedeyle satılan tokenları paylaşıyorum. Bu sohbete ne gelsin?
welcome-later = Bunu sohbeti yönetenler seçer. { $command } ile her zaman görüp değiştirebilirsiniz.
welcome-button-auctions = 🔔 Yeni ve mezun müzayedeler – { $chain }
welcome-button-creator = 🔔 Bir oluşturanın tüm lansmanları…
welcome-button-more = Diğer alarmlar…

help-title = Komutlar
help-command = Açıklanacak komut
help-all-commands = ◀ Tüm komutlar
help-just-send = Ya da bana bir ad, $ticker veya kontrat adresi gönderin.
help-options = Seçenekler adlarıyla, istenen sırayla yazılır: { $example }. Bir komut hakkında daha fazlası: { $help }
help-example = Örnek: { $line }
help-option-needed-of = { $about }: { $choices } (zorunlu)
help-option-of = { $about }: { $choices }
help-option-needed = { $about } (zorunlu)

assets-all = Tümü
assets-title-all = Tokenlar – { $chain }
assets-title-live = Canlı müzayedeler – { $chain }
assets-title-upcoming = Yaklaşan müzayedeler – { $chain }
assets-title-graduated = Mezun tokenlar – { $chain }
assets-none = { $chain } ağında henüz token yok.
assets-none-live = { $chain } ağında şu an canlı müzayede yok.
assets-none-upcoming = { $chain } ağında şu an yaklaşan müzayede yok.
assets-none-graduated = { $chain } ağında henüz mezun token yok.
assets-none-with-filters = { $chain } ağında eşleşen yok. Bir filtreyi kaldırın.
chosen = • { $label }
order-market-cap-highest = Piyasa değeri, önce en yüksek
order-market-cap-lowest = Piyasa değeri, önce en düşük
order-volume-highest = Hacim, önce en yüksek
order-volume-lowest = Hacim, önce en düşük
order-button-newest = En yeni
order-button-market-cap = MC
order-button-volume = Hacim

search-title = Arama: { $term }
search-title-on = Arama: { $term } – { $chain }
search-none = { $chains } ağında “{ $term }” adında token yok. Adının bir bölümünü veya ticker’ını deneyin.
search-none-and = { $nothing } { $ignored }
search-none-on-mainnets = { $nothing } Bir testnet için { $chain } ekleyin.
search-near = { $chains } ağında “{ $term }” adında token yok. Bunlardan birini mi demek istediniz?
chain-ignored = { $chains } istendiğinde veri sağlayıcı { $home } tokenları gönderiyor, bu yüzden hiçbirini gösteremiyorum.
asset-which = Hangi { $term }?
asset-did-you-mean = Bunlardan birini mi demek istediniz?
asset-none = { $chains } ağında { $address } adresli bir token yok.
auction-none = { $chains } ağında { $pool } müzayede havuzu yok. Müzayedeler için: { $live }
auction-none-of = { $name } için müzayede havuzu yok.

# En fazla 100 karakter.
param-chain = Ağ
param-chain-unknown = “{ $typed }” bu botun ağlarından değil. Şunlardan biri olmalı: { $chains }.
param-category = Yalnızca bu kategori
param-limit = En fazla kaç tane, 1–{ $max }
param-page = Sayfa numarası
param-asset = Ad, ticker veya adres
param-show = Her şeyi bir kerede gösterir
param-status = Hangi tokenlar
param-order = Sıralama; boşsa önce en yeniler
param-numeraire = Yalnızca bu karşıt token (adres)
param-creator = Yalnızca bu oluşturan (adres)
param-pool = Tokenın adı, ticker’ı veya adresi ya da havuzu
asset-choice = { $before } · { $after }

list-previous = ◀ Önceki
list-next = Sonraki ▶
list-page = Sayfa { $page }
list-no-more = Başka sonuç yok.
list-repeats = Bu listede sayfa çevrilemiyor: veri sağlayıcı hep ilk sayfayı gönderiyor. Bunun yerine filtre veya arama kullanın.
filter-status = durum
filter-numeraire = karşıt token
filter-category = kategori
filter-creator = oluşturan
filter-term = ad
list-all-left-out = Veri sağlayıcı yalnızca filtreye uymayan tokenlar gönderdi ({ $filters }).
list-all-left-out-see-next = Veri sağlayıcı yalnızca filtreye uymayan tokenlar gönderdi ({ $filters }). Sonraki sayfada uyanlar olabilir.
list-left-out = Gösterilmedi: veri sağlayıcının gönderdiği, filtreye uymayan { $count } token ({ $filters }).
list-not-by-market-cap = Piyasa değerine göre sıralı değil: veri sağlayıcı kendi sırasını kullanıyor.
list-not-by-volume = Hacme göre sıralı değil: veri sağlayıcı kendi sırasını kullanıyor.

error-misconfigured = Bu bot doğru kurulmamış
error-unauthorised = Veri sağlayıcı API anahtarını reddediyor. Operatör, nedenini görmek için doctor’ı çalıştırabilir.
error-forbidden = Veri sağlayıcı isteği reddediyor. Operatör, nedenini görmek için doctor’ı çalıştırabilir.
error-blocked = Veri sağlayıcıyla aramdaki bir şey beni geçirmiyor. Sizinle ilgili değil; denemeye devam ediyorum.
error-not-found = Bulunamadı
error-not-found-text = Veri sağlayıcı bu ağda o adreste bir şey bilmiyor.
error-invalid = İstek reddedildi
error-invalid-text = Veri sağlayıcı isteği reddetti. Yazdığınız doğruysa operatör, nedenini görmek için doctor’ı çalıştırabilir.
error-rate-limited = Çok yoğun
error-rate-limited-text = Şu an çok fazla istek var. Biraz sonra tekrar deneyin.
error-unavailable = Veri sağlayıcıya ulaşılamıyor
error-unavailable-text = Şu an yanıt yok. Biraz sonra tekrar deneyin.
error-malformed = Okunamayan yanıt
error-malformed-text = Veri sağlayıcı okuyamadığım bir şey gönderdi. Biraz sonra tekrar deneyin.
error-ours = Bir şeyler ters gitti
error-ours-text = Bu sizin değil, benim hatam. Tekrarlanırsa operatöre şu referansı gönderin: { $reference }
error-try-again = Tekrar dene

## /top, /watchlist

top-about = En çok toplayan, en çok hareket eden veya en yeni tokenlar
top-what = raised (toplanan), moved (hareketli) veya new (yeni)
top-period = Ne zaman çıktı: day (son 24 sa) veya week (son 7 gün)
# Düğmeler: en fazla 12 karakter kadar.
top-button-raised = 💰 Toplanan
top-button-moved = 📈 Hareketli
top-button-new = 🆕 Yeni
top-button-day = 24 sa
top-button-week = 7 gün
top-title-raised-day = En çok toplayanlar – { $chain }, son 24 saatte çıkanlar
top-title-raised-week = En çok toplayanlar – { $chain }, son 7 günde çıkanlar
top-title-moved = 24 saatte en çok hareket edenler – { $chain }
top-title-moved-week = 7 günde en çok hareket edenler – { $chain }
top-title-new-day = Son 24 saatin yenileri – { $chain }
top-title-new-week = Son 7 günün yenileri – { $chain }
top-raised = Toplanan { $money }
top-volume = Hacim { $volume }
top-not-comparable =
    { $count ->
        [one] 1 token daha başka bir karşıt tokenla topladı; bu karşılaştırılamaz.
       *[other] { $count } token daha başka karşıt tokenlarla topladı; bunlar karşılaştırılamaz.
    }
top-day-only = Bunun için veri yok: sağlayıcı yalnızca 24 saatlik fiyat değişimini veriyor.
top-among-newest = En yeni { $count } token arasında.
top-among-most-traded = Hacmi (24 sa) en yüksek { $count } token arasında.
top-none-raised-day = { $chain } ağında son 24 saatte çıkanlar henüz bir şey toplamadı.
top-none-raised-week = { $chain } ağında son 7 günde çıkanlar henüz bir şey toplamadı.
top-none-moved = { $chain } ağında son 24 saatte hiçbir fiyat oynamadı.
top-none-new-day = { $chain } ağında son 24 saatte token çıkmadı.
top-none-new-week = { $chain } ağında son 7 günde token çıkmadı.
top-undated = Veri sağlayıcı tokenların ne zaman çıktığını bildirmiyor.

watchlist-about = Kendi token listeniz, ekledikten sonraki değişimle
watchlist-add = Eklenecek tokenın adı, ticker’ı veya adresi
watchlist-title = ⭐ İzleme listeniz
watchlist-empty = Burada henüz bir şey yok. Bir tokenın kartında ⭐ İzle düğmesine basın ya da /watchlist ile adını gönderin.
watchlist-added = ⭐ İzleme listenizde: { $token }
watchlist-full = İzleme listeniz dolu: en fazla { $max } token alır. Önce birini kaldırın.
watchlist-removed = Kaldırıldı: { $address }.
watchlist-remove-title = Hangisini kaldırmak istiyorsunuz?
watchlist-since = eklendiğinden beri { $change }
watchlist-price = Fiyat { $price }
watchlist-no-price = şu an fiyatı yok
watchlist-button-list = ⭐ İzleme listem
watchlist-button-remove = Kaldır…
watchlist-button-remove-this = Kaldır
creators-about = Bir oluşturanın müzayedeleri için alarmlar
by-about = Bir oluşturanın tokenları
by-title = Oluşturan: { $creator }
by-title-on = Oluşturan: { $creator } · { $chain }
by-none = Bu oluşturanın { $chain } ağında tokenı yok.
by-button-alerts = 🔔 Alarmlar: tüm lansmanları
share-about = Token paylaşın
share-title = Paylaş: { $token }
share-title-unlisted = Bu tokenı paylaş
share-text = Yerini seçin: göndermeden önce gönderiyi görürsünüz. Ya da bağlantıyı kopyalayın:
share-nowhere = { $chain } tokenları için bağlantı verilecek bir sayfa yok.
asset-button-watch = ⭐ İzle
asset-button-creator = 👤 Oluşturan
asset-button-share = 📤 Paylaş

## Alerts

alerts-about = Müzayede alarmları kurun

# Düğmeler: en fazla 18 karakter.
alerts-kind-live = 🟢 Canlı
alerts-kind-incoming = 🕒 Yakında
alerts-kind-progress = 📈 İlerleme
alerts-kind-ending = ⏳ Bitiş
alerts-kind-graduated = 🎓 Mezuniyet
alerts-kind-price = 💲 Fiyat
alerts-kind-mcap = 🏦 Piyasa değeri
alerts-kind-digest = 🗓 Günlük özet

alerts-about-live = bir müzayede başlayınca
alerts-about-incoming = bir müzayede duyurulunca
alerts-about-progress = %25, %50, %75… satılınca
alerts-about-ending = bir müzayede bitmek üzereyken
alerts-about-graduated = bir müzayede mezun olunca
alerts-about-price = bir tokenın fiyatı oynayınca veya bir değeri geçince
alerts-about-mcap = bir tokenın piyasa değeri oynayınca veya bir değeri geçince
alerts-about-digest = günde bir kez, olup bitenler

alerts-rule-live = Herhangi bir müzayede başlayınca
alerts-rule-live-one = { $name } başlayınca
alerts-rule-incoming = Herhangi bir müzayede duyurulunca
alerts-rule-incoming-one = { $name } duyurulunca
alerts-rule-graduated = Herhangi bir müzayede mezun olunca
alerts-rule-graduated-one = { $name } mezun olunca
alerts-rule-progress = Herhangi bir müzayedede satış { $shares } olunca
alerts-rule-progress-one = { $name }: satış { $shares } olunca
alerts-rule-ending = Herhangi bir müzayedenin bitişine { $time } kala
alerts-rule-ending-one = { $name }: bitişe { $time } kala
alerts-rule-price-moves = { $name }: fiyat { $change } oynayınca
alerts-rule-price-above = { $name }: fiyat { $limit } üstüne çıkınca
alerts-rule-price-below = { $name }: fiyat { $limit } altına inince
alerts-rule-mcap-moves = { $name }: piyasa değeri { $change } oynayınca
alerts-rule-mcap-above = { $name }: piyasa değeri { $limit } üstüne çıkınca
alerts-rule-mcap-below = { $name }: piyasa değeri { $limit } altına inince
alerts-rule-digest = Günlük özet: { $time }, { $zone }
alerts-rule-filtered = { $rule } · { $filters }
alerts-filter-quote = karşıt token { $token }
alerts-filter-creator = oluşturan { $creator }
alerts-filter-name = adında “{ $name }”
alerts-filter-mcap = piyasa değeri ≥ { $amount }
alerts-filter-raised = toplanan ≥ { $amount }
alerts-some-token = Bir token
alerts-limit-quote = { $amount } (karşıt token cinsinden)
alerts-minutes = { $count } dk
alerts-hours = { $count } sa

alerts-short-progress = 📈 Satış { $shares }
alerts-short-ending = ⏳ Bitiş: { $time }
alerts-short-price-moves = 💲 Fiyat ±{ $change }
alerts-short-price-above = 💲 Fiyat > { $limit }
alerts-short-price-below = 💲 Fiyat < { $limit }
alerts-short-mcap-moves = 🏦 Piyasa değeri ±{ $change }
alerts-short-mcap-above = 🏦 Piyasa değeri > { $limit }
alerts-short-mcap-below = 🏦 Piyasa değeri < { $limit }
alerts-short-any-chain = { $rule }, tüm ağlar

alerts-incoming = 🕒 Yakında: { $token }
alerts-live = 🟢 Şimdi canlı: { $token }
alerts-graduated = 🎓 Mezun oldu: { $token }
alerts-ended = ⏹️ Bitti: { $token }
alerts-gone = ⏹️ Artık listede yok: { $token }
alerts-progress = 📈 { $share } satıldı: { $token }
alerts-sold-out = ✅ Tamamı satıldı: { $token }
alerts-ending-soon = ⏳ Bitmek üzere: { $token }
alerts-ending = ⏳ Bitişe { $hours } sa: { $token }
alerts-price-above = ▲ Fiyat { $limit } üstünde: { $token }
alerts-price-below = ▼ Fiyat { $limit } altında: { $token }
alerts-price-moved = 💲 Fiyat { $change }: { $token }
alerts-price-rose = ▲ Fiyat yükseldi: { $token }
alerts-price-fell = ▼ Fiyat düştü: { $token }
alerts-mcap-above = ▲ Piyasa değeri { $limit } üstünde: { $token }
alerts-mcap-below = ▼ Piyasa değeri { $limit } altında: { $token }
alerts-mcap-moved = 🏦 Piyasa değeri { $change }: { $token }
alerts-mcap-rose = ▲ Piyasa değeri yükseldi: { $token }
alerts-mcap-fell = ▼ Piyasa değeri düştü: { $token }
alerts-several = 🔔 { $count } alarm
alerts-detail-ends = bitiş { $time }
alerts-detail-starts = başlangıç { $time }
alerts-detail-now = şu an { $value }
alerts-value-changed = { $value }  { $change } (önceki: { $before })
alerts-outcome-sold-out = Tamamı satıldı ve mezun oldu.
alerts-outcome-graduated = Müzayede bitti: mezun oldu.
alerts-outcome-ended = Mezun olmadan bitti.
alerts-outcome-ended-at = Mezun olmadan bitti, { $share } satıldı.
alerts-outcome-gone = Veri sağlayıcı bunu artık listelemiyor.

alerts-digest-title = 🗓 Günlük özet, { $date }
alerts-digest-counts = { $live } canlı · { $wentLive } başladı · { $graduated } mezun oldu
alerts-digest-ending = 24 saat içinde bitenler
alerts-digest-newest = En yeniler
alerts-digest-graduated = Mezun olanlar
alerts-digest-movers = En çok hareket edenler (24 sa)
alerts-digest-zone = Günler şu saat dilimine göre: { $zone }.

alerts-list-own = Alarmlarınız
alerts-list-chat = Bu sohbetteki alarmlar
alerts-list-topic = Bu konudaki alarmlar
alerts-list-other-chat = Alarmlar
alerts-list-empty = Henüz alarm yok. Seçmek için Ekle’ye dokunun ya da şunu gönderin: { $line }
alerts-list-no-more = Başka alarm yok.
alerts-paused = ⏸️ Alarmlar duraklatıldı. { $reason } { $resume }
alerts-resumed = { $reason } Alarmlar şu andan itibaren yeniden açık.
alerts-resume-own = Yeniden açmak için buraya { $command } gönderin.
alerts-lost-blocked = Beni engellemiştiniz, bu yüzden hiçbir şey gönderilmedi.
alerts-lost-removed = Buradan çıkarılmıştım, bu yüzden hiçbir şey gönderilmedi.
alerts-lost-gone = Sohbet bulunamadı, bu yüzden hiçbir şey gönderilmedi.
alerts-lost-topic-closed = Konu kapatılmıştı, bu yüzden hiçbir şey gönderilmedi.
alerts-lost-forbidden = Mesaj göndermeme izin yoktu, bu yüzden hiçbir şey gönderilmedi.
alerts-lost-refused = Platform art arda birkaç mesajı reddetti.
alerts-lost-operator = Bu botun operatörü duraklattı.
alerts-resume-operator = Yalnızca operatör devam ettirebilir.
alerts-muted = 🔕 Biri sesi açana kadar sessizde. Bu sırada gelen alarmlar atlanır.
alerts-muted-until = 🔕 { $time } tarihine kadar sessizde. Bu sırada gelen alarmlar atlanır.
alerts-chat-id = sohbet { $id }

telegram-only-managers = Bunu yalnızca yöneticiler değiştirebilir.
telegram-not-manager = Buradaki alarmları yalnızca yöneticiler değiştirebilir. Kendi alarmlarınızı kurmak için bana özelden yazın.
telegram-manager-resumes = Bir yönetici buraya /alerts gönderince devam eder.
telegram-alerts-begun = Bir yönetici burada alarmları açtı. Yöneticiler /alerts ile görüp değiştirebilir.
telegram-not-managed = O sohbeti ayarlayamıyorum: ya orada değilim ya da siz orada yönetici değilsiniz. Beni mesaj gönderebilen bir yönetici olarak ekleyip tekrar deneyin.
telegram-cant-post = O sohbete mesaj gönderemiyorum. Beni mesaj gönderebilen bir yönetici yapıp tekrar deneyin.
telegram-managers-unseen = Bu sohbetin yöneticilerini göremiyorum. Beni yönetici yapıp tekrar deneyin.
# İzin adları, Discord’un Türkçe arayüzündeki gibi.
discord-only-managers = Bunu yalnızca Sunucuyu Yönet veya Webhook’ları Yönet izni olanlar değiştirebilir.
discord-not-manager = Buradaki alarmları değiştirmek için Sunucuyu Yönet veya Webhook’ları Yönet izni gerekir. Kendi alarmlarınızı kurmak için bana DM’den yazın.
discord-manager-resumes = Sunucuyu Yönet veya Webhook’ları Yönet izni olan biri buraya /alerts list gönderince devam eder.
discord-alerts-begun = Sunucuyu Yönet veya Webhook’ları Yönet izni olan biri burada alarmları açtı. Bu izinlere sahip olanlar /alerts ile görüp değiştirebilir.
discord-not-managed = O kanalı ayarlayamıyorum: ya orada değilim ya da sizin orada Sunucuyu Yönet veya Webhook’ları Yönet izniniz yok. Bana Kanalı Görüntüle ve Mesaj Gönder izinlerini verip tekrar deneyin.
discord-cant-post = O kanala mesaj gönderemiyorum. Bana Kanalı Görüntüle ve Mesaj Gönder izinlerini verip tekrar deneyin.
discord-managers-unseen = Buradaki alarmları kimin değiştirebileceğini göremiyorum. Bana bu kanalda Kanalı Görüntüle iznini verip tekrar deneyin.
alerts-begun = 🔔 Burada alarmlar açık
alerts-cant-post-now = O sohbete şu an mesaj gönderemedim. Biraz sonra tekrar deneyin.
alerts-managers-unknown = Buradaki alarmları kimin değiştirebileceğini şu an kontrol edemiyorum. Biraz sonra tekrar deneyin.
alerts-managers-unknown-there = O sohbetin alarmlarını kimin değiştirebileceğini şu an kontrol edemiyorum. Biraz sonra tekrar deneyin.
alerts-other-chat-private = Başka sohbetler yalnızca özel sohbetimizde ayarlanır. Bunu bana orada gönderin.

# Düğmeler: en fazla 18 karakter.
alerts-button-alerts = 🔔 Alarmlar
alerts-button-list = ◀ Tüm alarmlar
alerts-button-all = Tüm alarmlar
alerts-button-back = ◀ Geri
alerts-button-add = Ekle
alerts-button-add-more = Daha fazla ekle
alerts-button-change = Değiştir
alerts-button-remove = Kaldır
alerts-button-remove-all = Tümünü kaldır
alerts-button-keep = Kalsın
alerts-button-mute = Sessize al
alerts-button-unmute = Sesi aç
alerts-button-channel = Kanal ayarla
alerts-button-pick-channel = Kanal seç
alerts-button-pick-group = Grup seç
alerts-button-own = Alarmlarım
alerts-button-live-auctions = Canlı müzayedeler
alerts-button-follow = Takip et
alerts-button-unfollow = Takibi bırak
alerts-button-ticked = ✓ { $label }

# Formun etiketi: en fazla 45 karakter.
alerts-set-price = Fiyat gir…
alerts-set-mcap = Piyasa değeri gir…
alerts-set-progress = Yüzde gir…
alerts-set-ending = Dakika gir…
alerts-set-digest = Saat gir…
alerts-set-min-mcap = En az piyasa değeri…
alerts-set-min-raised = En az toplanan…
alerts-set-creator = Tek oluşturan…
alerts-min-mcap-title = En az piyasa değeri
alerts-min-raised-title = En az toplanan
alerts-creator-title = Tek oluşturan
alerts-ask-price = Bir fiyat gönderin, örneğin { $value }, ya da bir değişim, örneğin { $change }
alerts-ask-mcap = Bir piyasa değeri gönderin, örneğin { $value }, ya da bir değişim, örneğin { $change }
alerts-ask-progress = Yüzdeleri gönderin, örneğin { $example }
alerts-ask-ending = Bitişe kaç dakika kala gelsin? Gönderin, örneğin { $example }, ya da saat olarak, örneğin { $hours }
alerts-ask-digest = Saati UTC olarak gönderin, örneğin { $example }, ya da şehrinizle, örneğin { $city }
alerts-ask-reply = { $ask } – bu mesajı yanıtlayarak
alerts-ask-min-mcap = Bildirim almak istediğiniz en düşük piyasa değerini gönderin, örneğin { $example }
alerts-ask-min-raised = Müzayedenin toplaması gereken en düşük tutarı gönderin, örneğin { $example }
alerts-minimum-about = Bunun altında bildirim gelmez, değer bilinmiyorken de gelmez. Başlangıç, yaklaşan ve mezuniyet bildirimleri ulaşılınca gelir.
alerts-no-minimum = Alt sınır yok
alerts-ask-creator = Oluşturanın adresini gönderin, örneğin { $example }
alerts-creator-about = Ya da tokenlarından birini açıp 👤 Oluşturan’a dokunun.
alerts-ask-side = Üstü mü, altı mı? Şu anki değeri göremiyorum. { $above } veya { $below } gönderin
alerts-button-search = 🔎 Ara: “{ $text }”

alerts-one = 🔔 Alarm
alerts-added = { $count ->
    [one] Alarm eklendi
   *[other] { $count } alarm eklendi
  }
alerts-existing = { $rule } (zaten var)
alerts-nothing-new = Yeni bir şey yok
alerts-changed = ✅ Güncellendi
alerts-removed = { $count ->
    [0] Kaldırılacak bir şey yok
    [one] 🔕 Alarm kaldırıldı
   *[other] 🔕 { $count } alarm kaldırıldı
  }
alerts-remove-all = { $count } alarm kaldırılsın mı?
alerts-remove-all-about = Bu alarmlar artık gelmez. Bu işlem geri alınamaz.
alerts-mute = 🔕 Ne kadar süre sessize alınsın?
alerts-mute-about = Bu sırada gelen alarmlar atlanır.
alerts-mute-on = Ses açılana kadar
alerts-hint-zone = Bu saat UTC’ye göre. Kendi saat diliminiz için şunu gönderin: { $line }

alerts-choose = Hangi alarmları istiyorsunuz?
alerts-or-type = Ya da yazın, örneğin: { $line }
alerts-current = Şu an { $value }
alerts-which-token = Bu alarm tek bir token içindir. Tokenı buradan seçin ya da kartında 🔔 Alarmlar’a dokunun.
alerts-preset-any = Tüm müzayedeler
alerts-preset-token = Bu token
alerts-preset-above = ▲ { $value }
alerts-preset-below = ▼ { $value }
alerts-preset-percents = { $first } … { $last }
alerts-preset-percents-all = { $all }
alerts-pick = Kanal ayarla
alerts-pick-about = Bir kanal veya grup seçip alarmlarını burada, özel sohbetimizde ayarlayın. Orada mesaj gönderebilen bir yönetici olmam gerekir.

alerts-token-own = Bu token için alarmlarınız:
alerts-token-chat = Bu sohbetin bu token için alarmları:
alerts-token-topic = Bu konunun bu token için alarmları:
alerts-token-other-chat = Bu token için alarmlar:
alerts-token-none = Bu token için henüz alarm yok.
alerts-token-note = Sohbetin genel alarmları da bu tokenı kapsayabilir: Tüm alarmlar’a bakın.

alerts-already-above = Şu an { $value }: zaten üstünde. Altına inip tekrar üstüne çıkınca alarm gelir.
alerts-already-below = Şu an { $value }: zaten altında. Üstüne çıkıp tekrar altına inince alarm gelir.
alerts-value-unknown = { $name }: şu an bilinmiyor. Bilinince alarmlar gelmeye başlar.
alerts-already-sold = Zaten { $share } satıldı, bu yüzden bu alarm gelmez.
alerts-already-ending = Bitişe kalan süre zaten { $time } altında, bu yüzden bu alarm gelmez.
alerts-over-incoming = { $token } zaten duyuruldu, bu yüzden artık { $kinds } alarmı gelmez.
alerts-over-live = { $token } zaten canlı, bu yüzden artık { $kinds } alarmı gelmez.
alerts-over-graduated = { $token } zaten mezun oldu, bu yüzden artık { $kinds } alarmı gelmez.
alerts-over-ended = { $token } müzayedesi bitti, bu yüzden artık { $kinds } alarmı gelmez.
alerts-over-gone = { $token } artık listede yok, bu yüzden artık { $kinds } alarmı gelmez.
alerts-instead = { $remark } Hâlâ gelebilecekler: { $line }

# Türlerle birlikte en fazla 100 karakter.
alerts-param-of = { $kinds }: { $about }
alerts-param-what = Liste için boş bırakın; ya da: add …, mute 8h, remove all
alerts-param-category = Yalnızca bu kategori
alerts-param-name = Yalnızca adında veya ticker’ında bu geçenler
alerts-param-mcap = Yalnızca bu piyasa değerinden itibaren, ya da any
alerts-param-raised = Yalnızca bu kadar toplanınca, ya da any
alerts-param-quote = Yalnızca bu karşıt token
alerts-param-creator = Yalnızca bu oluşturan
alerts-param-token = Tek token: ad, ticker veya adres
alerts-param-percent = satılan yüzde, örneğin 25,50,100
alerts-param-minutes = bitişe kalan dakika, 5–1440
alerts-param-above = bunun üstüne çıkınca
alerts-param-below = bunun altına inince
alerts-param-move = yüzde bu kadar oynayınca
alerts-param-hour = günün saati, 0–23
alerts-param-zone = saat dilimi veya şehir (varsayılan: UTC)
alerts-param-in = Yönettiğiniz başka bir sohbetin kimliği (yalnızca özel sohbette)
alerts-guide-one = listedeki numarasıyla tek alarm; remove all
alerts-guide-mute = 30m, 8h, 7d veya on
alerts-guide-channel = özel sohbetimizden kanal veya grup ayarla (Telegram)
alerts-sub-list = Bu sohbetin alarmlarını göster
alerts-sub-add = Alarm ekle
alerts-sub-change = Alarmı değiştir
alerts-sub-remove = Alarmı kaldır
alerts-sub-mute = Bu sohbetin alarmlarını sessize al
alerts-sub-unmute = Bu sohbetin alarmlarının sesini aç
alerts-param-kind = Neyin alarmı; seçmek için boş bırakın
alerts-param-number = Listedeki numarası
alerts-param-for = 30m, 8h, 7d ya da ses açılana kadar on; seçmek için boş bırakın
alerts-param-role = Her alarmda bu rolü etiketle
alerts-role-unreadable = “{ $typed }” bir rol değil. Listeden seçin.
alerts-role-unfit = Roller yalnızca Discord sunucularında etiketlenebilir.
alerts-role-later = Tür ve tokenı { $option } ile birlikte yazın ya da alarmı ekledikten sonra değiştirin.
alerts-with-role = { $rule } · { $role } etiketlenir
alerts-role-set = Her alarmda { $role } etiketlenir.
alerts-role-unset = Bu alarmlarda rol etiketlenmez.
alerts-button-no-role = Etiketlemeyi kapat
discord-role-unknown = Burada böyle bir rol yok.
discord-role-not-yours = { $role } rolünü etiketleyemezsiniz: herkesin etiketleyebildiği bir rol ya da Herkesten Bahset izni gerekir.
discord-role-not-mine = { $role } rolünü etiketleyemiyorum: herkesin etiketlemesine izin verin ya da bana Herkesten Bahset iznini verin.
alerts-follow-about = Tek bir token için alarmlar
alerts-follow-on = Eklenecek alarmlar
alerts-follow-off = Kaldırılacak alarmlar

alerts-kind-unknown = “{ $typed }” diye bir alarm yok. Şunlar olur: { $kinds }.
alerts-kind-near = “{ $typed }” diye bir alarm yok. Şunu mu demek istediniz: { $near }?
alerts-subcommand-unknown = “{ $typed }” bilinmiyor. Şunları kullanın: add (örneğin { $example }), show, change, remove, mute veya unmute; liste için yalnızca /alerts gönderin.
alerts-subcommand-near = “{ $typed }” bilinmiyor. Şunu mu demek istediniz: { $near }? Şunları kullanın: add (örneğin { $example }), show, change, remove, mute veya unmute; liste için yalnızca /alerts gönderin.
alerts-option-with-add = { $option } yalnızca add ile çalışır, örneğin { $example }
alerts-option-unnamed = “{ $typed }” diye bir alarm yok. Seçenekler adıyla yazılır, örneğin { $example }
alerts-option-unfit = { $option } yalnızca şunlarla çalışır: { $supporting }; şunlarla çalışmaz: { $requested }.
alerts-one-value = Bir alarmda şunlardan yalnızca birini kullanın: { $options }. Diğeri için ayrı bir alarm ekleyin.
alerts-shared-value = { $kinds } aynı değeri paylaşamaz. Tek tek ekleyin.
alerts-token-needed = { $kind } alarmı tek bir token içindir: { $option } ile ticker’ını veya adresini ekleyin ya da tokenın kartında 🔔 Alarmlar’a dokunun.
alerts-token-unfit = { $option } ile { $kind } birlikte çalışmaz, çünkü { $kind } birçok tokenı kapsar. Tek başına { $kind } ekleyin.
alerts-filter-unfit = { $filter } ile { $option } birlikte çalışmaz, çünkü { $option } zaten tek bir tokenı belirtir. Yalnızca birini kullanın.
alerts-token-by-itself = { $kinds } alarmları için tek bir token gerekir. Onları ayrı gönderin: { $first }, geri kalanı da şöyle: { $second }
alerts-change-what = Ne değişsin? Örneğin: { $example }
alerts-amount-unreadable = “{ $typed }” bir tutar değil. 0,5, 1,5e-7, 300k veya 2,5m gibi yazın.
alerts-amount-impossible = “{ $typed }” değerine ulaşılamaz. 0’dan büyük, bir fiyatın alabileceği bir tutar girin.
alerts-amount-ambiguous = “{ $typed }” iki şekilde okunabilir. { $thousands } ya da { $fraction } yazın.
alerts-percent-unreadable = “{ $typed }” uygun değil. { $min } ile { $max } arasında tam sayılar girin, örneğin 25,50.
alerts-percent-many = { $count } değer girdiniz; en fazla { $max } olabilir.
alerts-zone-unknown = “{ $typed }” diye bir saat dilimi yok. Bir şehir ya da Europe/Berlin, America/New_York veya UTC gibi bir ad kullanın.
alerts-zone-near = “{ $typed }” diye bir saat dilimi yok. Şunu mu demek istediniz: { $near }? Ya da başka bir şehir veya UTC kullanın.
alerts-category-unknown = “{ $typed }” diye bir kategori yok. Şunlar olur: { $categories }.
alerts-chat-unreadable = “{ $typed }” bir sohbet kimliği değil; kimlik bir sayıdır. Bulmak için /alerts içindeki Kanal ayarla’yı kullanın.
alerts-mute-unreadable = Ne kadar süre? { $examples } gönderin (en fazla bir yıl) ya da { $unmute } gönderilene kadar sessize almak için { $on } gönderin.
alerts-which-number = Hangi alarm? Numarasını şu listeden verin: { $command }
alerts-none-of-number = Burada { $number } numaralı alarm yok. Bakın: { $command }
alerts-gone-already = Bu alarm artık yok. Bakın: { $command }
alerts-done-already = Zaten yapıldı. Bakın: { $command }
alerts-too-many = { $count ->
    [one] Bu sohbette zaten 1 alarm var, daha fazlası olamaz. Önce onu { $command } ile kaldırın.
   *[other] Bu sohbette zaten { $count } alarm var, daha fazlası olamaz. Önce birkaçını { $command } ile kaldırın.
  }
alerts-channel-telegram = { $line } satırını bana Telegram’da özel sohbette gönderin.
alerts-follow-unreadable = “{ $typed }” bir alarm değil. Tokenın kartını açın, 🔔 Alarmlar’a, ardından kaldırılacak alarma dokunun.

## Launch: the questions, the review, what becomes of it

launch-command = Kendi tokenınızı çıkarın
launch-command-launching = Bir lansmana devam edin
launch-command-launches = Taslaklarınız ve lansmanlarınız
launch-command-cancel = Başladığınız taslağı silin
launch-command-metadata = Token çıkarmadan metadatasını yükleyin
launch-param-token = Ticker’ı, ardından adı: RIVER River Heron
launch-param-from = Başlatıldığı sohbet
launch-param-from-wrong = Sadece /launch gönderin; ayrıntıları ben sorarım.
launch-picture-alone = Bu görselle token çıkarmak ister misiniz?
launch-picture-alone-caption = Görseli, açıklamasına { $example } yazarak yeniden gönderin ya da { $launch } ile başlayıp logoyu sorduğumda gönderin.
launch-picture-alone-option = { $launch } ile başlayın ve logoyu sorduğumda görseli gönderin.
launch-param-step = Ne yapılacak
launch-not-set-up = Burada lansman ayarlanmamış: botun operatörünün bir şablon eklemesi gerekiyor (TEMPLATES).

launch-question-title = Soru { $number }/{ $of }: { $label }
launch-answered = { $answered }/{ $of } yanıtlandı
launch-example = Örnek
launch-allowed = Kabul edilen
launch-now = Şu an
launch-left-out = atlandı
launch-you-typed = Yazdığınız
launch-none = yok

# Düğmeler: en fazla 20 karakter kadar.
launch-answer = Yanıtla
launch-keep = Kalsın
launch-skip = Atla
launch-leave-out = Kaldır
launch-back = ◀ Geri
launch-cancel = İptal

launch-form = Tokenınız
launch-form-metadata = Metadatanız
launch-form-optional = { $about } (isteğe bağlı)
launch-form-old = Bu form eski. Nerede kaldığınızı /launch gösterir.

launch-chain = Ağ
launch-chain-question = Hangi ağda çıkarmak istiyorsunuz?
launch-chain-unknown = Orada token çıkaramam. Şunlardan birini seçin: { $chains }.

launch-template = Şablon
launch-template-question = Nasıl satılsın?
launch-template-unknown = Böyle bir şablon yok. Şunlardan birini seçin: { $templates }.
launch-template-gone = Bu bot o şablonu artık sunmuyor. Güncel olanları /launch gösterir.
# In the place of how much is to be raised.
launch-template-no-minimum = alt sınır yok: ne kadar az alınırsa alınsın baştan işlem görür
launch-no-launcher = Bu bot { $chain } ağındaki lansman kontratını bilmiyor, bu yüzden orada token çıkarılamaz. Operatör bunu LAUNCHERS ile ayarlayabilir.

launch-name = Ad
launch-name-question = Tokenınızın adı ne?
# `$example` bir komut satırıdır.
launch-all-at-once = Ya da hepsini birden gönderin: logonuzu, açıklamasına { $example } yazarak
launch-all-at-once-option = Ya da hepsini birden: { $example } – logoyu sonra sorarım.
launch-name-allowed = Tek satırda 1–{ $max } karakter; emoji olabilir.
launch-name-form = En fazla { $max } karakter
launch-name-keep = Bu adı kullan
launch-name-lookalike = “{ $name }” benzer görünen harfler içeriyor: var olan bir token gibi okunuyor.

launch-symbol = Ticker
launch-symbol-question = Ticker’ı ne?
launch-symbol-form = Yatırımcıların göreceği ticker
launch-symbol-allowed = 1–15 karakter: A–Z harfleri ve rakamlar.
launch-symbol-allowed-pattern = { $pattern } ile eşleşen
launch-symbol-wrong = “{ $symbol }” ticker olamaz. Kabul edilen: { $allowed }
launch-symbol-keep = Yine de kullan
launch-symbol-show = O tokenı göster
launch-symbol-unchecked = { $symbol } zaten var mı, kontrol edemedim: veri sağlayıcı yanıt vermiyor.
launch-symbol-exists = { $symbol } zaten var. Başka bir ticker gönderin ya da yine de kullanın.
launch-symbol-reads-like = { $symbol }, zaten var olan { $other } gibi okunuyor. Başka bir ticker gönderin ya da yine de kullanın.
launch-symbol-exists-on = { $symbol } { $chain } ağında zaten var. Başka bir ticker gönderin ya da yine de kullanın: kullanıcılar ikisini karıştırabilir.
launch-symbol-reads-like-on = { $symbol } benzer görünen harfler içeriyor: { $chain } ağında zaten var olan { $other } gibi okunuyor. Başka bir ticker gönderin ya da yine de kullanın: kullanıcılar ikisini karıştırabilir.

launch-description = Açıklama
launch-description-question = Tokenınızı tanıtın. Bunu sonradan değiştiremezsiniz.
launch-description-allowed = En fazla { $max } karakter, isterseniz birkaç satırda.
launch-description-form = En fazla { $max } karakter

launch-logo = Logo
launch-logo-question = Tokenınızın logosunu (fotoğraf veya dosya) ya da bir IPFS bağlantısı gönderin.
launch-logo-question-ipfs = Tokenınızın logosu IPFS’te nerede? Bu bot dosya yükleyemiyor.
launch-logo-allowed = En fazla 10 MB PNG, JPEG, WebP veya GIF; kare kırpılır. Ya da bir IPFS CID’si veya bağlantısı.
launch-logo-allowed-ipfs = IPFS CID’si, ipfs:// adresi veya bir gateway’in https bağlantısı.
launch-logo-form = IPFS CID’si veya bağlantısı
launch-logo-or-ipfs = Ya da logonun IPFS CID’si veya bağlantısı
launch-logo-file = En fazla 10 MB PNG, JPEG, WebP veya GIF
launch-logo-no-cid = Bu bir IPFS CID’si veya bağlantısı değil. Görselin kendisini ya da CID’sini gönderin.
launch-logo-no-cid-ipfs = Bu bir IPFS CID’si veya bağlantısı değil. Görseli IPFS’e yükleyip CID’sini gönderin.
launch-logo-no-files = Bu bot dosya yükleyemiyor. Görseli IPFS’e kendiniz yükleyip CID’sini gönderin.
launch-logo-cropped = Logonuz böyle görünecek: görselinizin ortası, 512 × 512 piksel.
launch-logo-cropped-next = Bunu kullanın ya da başka bir tane gönderin.
launch-logo-use = Bunu kullan
launch-logo-another = Başka gönder
launch-logo-keep-old = Eskisi kalsın
launch-logo-none = Logo yok
launch-logo-gone = Bu görsel artık kayıtlı değil. Tekrar gönderin.

launch-image-busy = Şu an çok fazla görsel işleniyor. Bir dakika sonra tekrar gönderin.
launch-image-large = Bu dosya 10 MB’tan büyük. Daha küçük bir görsel gönderin.
launch-image-detailed = Bu görseli yeterince küçültemiyorum. Daha az ayrıntılı bir görsel gönderin.
launch-image-scans = Bu JPEG’i işleyemiyorum. PNG veya JPEG olarak yeniden kaydedip gönderin.
launch-image-damaged = Bu görseli okuyamıyorum: bozuk veya eksik. PNG veya JPEG olarak yeniden kaydedip gönderin.
launch-image-pixels = Bu görsel çok büyük: { $size } piksel. En fazla { $most } olan bir görsel gönderin.
launch-image-small = Bu görsel çok küçük: { $size } piksel. En az { $least } gönderin; en iyisi { $best }.
launch-image-empty = Bu dosya boş. PNG, JPEG, WebP veya GIF gönderin.
launch-image-svg = Kod içerebildikleri için SVG dosyalarını kabul edemiyorum. PNG olarak kaydedip gönderin.
launch-image-page = Bu bir görsel değil, web sayfası veya metin. PNG, JPEG, WebP veya GIF gönderin.
launch-image-pdf = Bu bir PDF. Sayfayı PNG veya JPEG olarak kaydedip gönderin.
launch-image-heic = HEIC ve AVIF dosyalarını kabul edemiyorum. JPEG olarak kaydedin ya da dosya yerine fotoğraf olarak gönderin.
launch-image-video = Bu bir video veya animasyon. PNG, JPEG, WebP veya GIF gönderin.
launch-image-archive = Bu bir arşiv. Açıp içindeki görseli gönderin: PNG, JPEG, WebP veya GIF.
launch-image-format = Bu biçimi kabul edemiyorum. PNG veya JPEG olarak kaydedip gönderin.
launch-image-unknown = Bu görseli okuyamıyorum. PNG, JPEG, WebP veya GIF gönderin.

launch-links = Bağlantılar
launch-links-question = Web sitesi ve sosyal medya, her satıra bir tane.
launch-links-allowed = https:// ile başlayan en fazla { $max } bağlantı, isterseniz her birinin önüne bir etiketle.
launch-links-form = Her satıra bir tane, örneğin: Website https://…
launch-links-none = En az bir bağlantı gönderin ya da bunu atlayın.
launch-links-many = En fazla { $max } bağlantı olabilir; { $count } gönderdiniz.
launch-links-twice = Bu bağlantı iki kez var. Bir kez gönderin.
launch-links-label-long = Bu bağlantının önündeki etiket çok uzun: en fazla { $max } karakter olabilir.
launch-link-no-scheme = Bağlantının tamamını, https:// ile başlayarak gönderin.
launch-link-scheme = Bağlantı { $scheme } ile değil, https: ile başlamalı
launch-link-password = Bağlantıda kullanıcı adı veya parola olmamalı.
launch-link-not-public = Bağlantı { $example } gibi herkese açık bir siteye gitmeli ve en fazla 512 karakter olmalı.
launch-link-field = Bağlantı: { $label }
launch-more-links = Diğer bağlantılar

launch-categories = Kategoriler
launch-categories-question = Bu ne tür bir token?
launch-category-builder = Geliştirici coini
launch-category-product = Ürün coini
launch-categories-both = İkisi de
launch-categories-unknown = Şunlardan birini seçin: { $categories }, ya da bunu atlayın.

launch-wallet = Cüzdan
launch-wallet-question = Lansmanı hangi cüzdan imzalayıp gas’ı ödeyecek? Yalnızca adresini gönderin. Burada hiç kimse asla özel anahtar veya kurtarma kelimeleri (seed phrase) istemez.
launch-wallet-again = Geçen seferki: { $wallet }
launch-wallet-allowed = 0x ve 40 karakter.
launch-wallet-form = İmzalayıp gas’ı ödeyen adres

launch-fee-receiver = Komisyon alıcısı
launch-fee-receiver-question = Tokenın metadatasında komisyon alıcısı olarak hangi adres görünsün? Yalnızca orada görünür, komisyonların kime gittiğini değiştirmez.
launch-fee-receiver-allowed = Bir adres ya da imzalayan cüzdan için “wallet”.
launch-fee-receiver-address = Bir adres.
launch-fee-receiver-form = Bir adres
launch-fee-receiver-same = Aynı cüzdan

launch-vesting = Vesting
launch-vesting-question = Vesting: şablonun belirlediği süre boyunca açılan kilitli tokenları kim alacak? Her satıra bir kişi.
launch-vesting-question-days = Vesting: { $days } gün boyunca açılan kilitli tokenları kim alacak? Her satıra bir kişi.
launch-vesting-question-cliff = Vesting: { $days } gün boyunca açılan, ilk { $cliff } gün hiç açılmayan kilitli tokenları kim alacak? Her satıra bir kişi.
launch-vesting-allowed = En fazla { $max } adres, her biri arzdan bir payla (örneğin 5%) ya da bir miktarla (örneğin 5000000 tokens); toplam en fazla { $percent }.
launch-vesting-form = Her satıra bir: adres ve 5% ya da adres ve 5000000 tokens
launch-vesting-no-unit = 5% veya 150 tokens yazın: tek başına sayı ikisi de olabilir.
launch-vesting-too-much = Bununla birlikte arz payı { $sum } oluyor. Vesting’e en fazla { $max } ayrılabilir.
launch-vesting-small = { $account } yalnızca { $tokens } token alıyor: { $supply } tokenlık arzdaki payı sadece { $percent }. Bunu mu istediniz?
launch-vesting-meant = Evet, doğru

launch-beneficiaries = Komisyon paylaşımı
launch-beneficiaries-question = İşlem komisyonlarınızı biriyle paylaşacak mısınız? Tüm işlem komisyonlarındaki payınız { $own }; başkalarına verdiğiniz bundan düşer. Her satıra bir kişi.
launch-beneficiaries-allowed = En fazla { $max } adres, her biri payıyla; toplam en fazla { $own }.
launch-beneficiaries-form = Her satıra bir: adres ve pay, örneğin 0x… 35%
launch-beneficiaries-no-percent = Payı yüzde işaretiyle yazın, örneğin 35%.
launch-beneficiaries-too-much = Bununla birlikte payların toplamı { $sum } oluyor. En fazla { $max } paylaşılabilir.

launch-list-entry = { $number }. satır: { $problem }
launch-accounts-none = En az bir satır gönderin ya da bunu atlayın.
launch-accounts-many = En fazla { $max } adres olabilir; { $count } gönderdiniz.
launch-accounts-twice = Bu adres iki kez var. Bir kez gönderin.
launch-accounts-no-value = Adresin ardına ne kadar alacağını yazın, örneğin { $example }.
launch-account-zero = Bu sıfır adresi: ona giden her şey kaybolur. Başka bir adres gönderin.
launch-tokens-no-number = Token sayısını rakamla yazın, örneğin 1000000 tokens veya 2.5 tokens.
launch-tokens-decimals = Bir tokenın en fazla 18 ondalık basamağı olur.
launch-tokens-zero = Token sayısı 0’dan büyük olmalı.
launch-percent-no-number = Yüzdeyi rakamla yazın, örneğin 5% veya 2.5%.
launch-percent-decimals = Bir yüzdenin en fazla 16 ondalık basamağı olabilir.
launch-percent-zero = Yüzde 0’dan büyük olmalı.
launch-percent-over = Yüzde 100’ü geçemez.

launch-text-empty = Görünür karakterler kullanın.
launch-text-lines = Satır atlamadan, tek satırda gönderin.
launch-text-tab = İçinde bir sekme karakteri ({ $code }) var. Onsuz yeniden yazın.
launch-text-control = İçinde bir denetim karakteri ({ $code }) var. Onsuz yeniden yazın.
launch-text-direction = İçinde yazı yönünü değiştiren bir karakter var ({ $code }). Onsuz yeniden yazın.
launch-text-unseen = İçinde görünmez bir karakter var ({ $code }). Onsuz yeniden yazın.
launch-text-accents = İçinde harfsiz aksan işaretleri ya da bir harfte fazla aksan var. Bunları çıkarın.
launch-text-long = En fazla { $max } karakter olabilir; sizinkinde { $count } var.
launch-text-bytes = Bu çok yer kaplıyor ({ $max } bayttan fazla). Daha az emoji kullanın.
launch-text-address = Bu bir adres. Adresleri daha sonra soracağım.
launch-text-link = Bu bir bağlantı. Bağlantıları daha sonra soracağım.
launch-text-mixed = Latin harfli bir kelimenin içinde { $script } harfi var: “{ $letter }” ({ $code }). Her kelimeyi tek alfabeyle yazın.
launch-secret = ⚠️ Bu bir özel anahtara veya kurtarma kelimelerine (seed phrase) benziyor. Kaydetmedim. Koruduğu her şeyi yeni bir cüzdana taşıyın: bunu gören herkes her şeyi alabilir. Bunu asla kimseye göndermeyin – lansman için yalnızca adresiniz gerekir; daha fazlasını isteyen dolandırıcıdır.
launch-secret-or-hash = ⚠️ Bu bir özel anahtar, bir işlem hash’i veya bir havuz kimliği: hepsi aynı görünür, bu yüzden kaydetmedim. Anahtarsa: koruduğu her şeyi hemen yeni bir cüzdana taşıyın, onu gören herkes her şeyi alabilir. Hash ise: hiçbir şey kaybolmadı, lansmanınızı kendim bulurum, bkz. /launches. Havuz kimliğiyse: /auction ile gönderin.
# Above that, on Telegram: whether the bot could delete the message.
secret-deleted = 🗑️ Mesajınızı sildim.
secret-delete = ⚠️ Mesajınızı hemen silin: burada benim silme yetkim yok.

launch-saved = Kaydedildi: { $labels }.
launch-skipped = Atlandı: { $labels }. Son kontrolde ekleyebilirsiniz.
launch-not-asked = bu lansmanda sorulmuyor, bu yüzden alınmadı.
launch-mistyped = “{ $word }” adında bir yanıt yok. Şunu mu demek istediniz: “{ $near }”?
launch-all-answered = Her şey yanıtlandı. Aşağıdan onaylayın ya da bir yanıtı değiştirin.
launch-first-file-only = Yalnızca ilk dosyayı aldım.
launch-caption-unused = Açıklamayı yanıt olarak kullanmadım; ayrı gönderin.
launch-concurrent-answer = Aynı anda iki yanıt geldi ve bu kaydedilmedi. Şu an buradasınız; hâlâ uyuyorsa tekrar gönderin.
launch-metadata-about = Bu, logoyu ve metadatayı yükler ve adreslerini verir. Token çıkarılmaz.
launch-resumed = { $since } başlattığınız lansmana devam ediliyor.
launch-resumed-metadata = { $since } başlattığınız yüklemeye devam ediliyor.
launch-last-expired = Son taslağınızın süresi doldu (son değişiklik: { $since }). Bu yeni bir taslak.
launch-other-waits = Başka bir lansmanınız imzanızı bekliyor: /launches.
launch-nothing-to-cancel = İptal edilecek bir şey yok. Lansmanlarınızı /launches gösterir; /launch yenisini başlatır.
launch-answered-already = Zaten yanıtlandı. /launch kaldığınız yerden devam eder.
launch-answered-metadata = Zaten yanıtlandı. /metadata kaldığınız yerden devam eder.
launch-closed-expired = Bu taslağın süresi, bir hafta değişiklik olmadığı için doldu. /launch yenisini başlatır.
launch-closed-expired-metadata = Bu taslağın süresi, bir hafta değişiklik olmadığı için doldu. /metadata yenisini başlatır.
launch-closed-uploaded = Zaten yüklendi – bakın: /launches. /metadata yenisini başlatır.
launch-closed-built = Zaten onaylandı – bakın: /launches.
launch-closed-gone = Bu lansman artık yok. /launch yenisini başlatır.
launch-closed-gone-metadata = Bu yükleme artık yok. /metadata yenisini başlatır.

launch-review = Son kontrol: { $token }
launch-review-cost = Maliyet: yalnızca gas; cüzdanınız öder. Bu bot hiçbir şey almaz.
launch-review-confirm = Siz onaylayıp kendi cüzdanınızda imzalamadan hiçbir şey olmaz. Onayladıktan sonra işlemin gerçekte ne yaptığını satır satır görür ve imzalama bağlantısını alırsınız.
launch-review-announce = Canlı olunca, başlattığınız yerde duyurulabilir.
launch-review-upload-cost = Bu ücretsizdir: yalnızca yükleme yapılır, token çıkarılmaz.
launch-review-upload = Siz Yükle’ye basmadan hiçbir şey yüklenmez. Sonra metadatanın adresini alırsınız.
launch-confirm = Onayla
launch-upload = Yükle
launch-change = ✎ { $label }
launch-announce-on = 🔔 Orada duyuru: açık
launch-announce-off = 🔕 Orada duyuru: kapalı

launch-discard = Bu taslak silinsin mi?
launch-discard-upload = Bu yükleme silinsin mi?
launch-discard-about = Tüm yanıtlarınız da silinir.
launch-discard-yes = Sil
launch-discard-no = Düzenlemeye devam
launch-discarded = Taslak silindi
launch-discarded-about = Token çıkarılmadı. /launch yenisini başlatır.
launch-discarded-upload = Hiçbir şey yüklenmedi. /metadata yenisini başlatır.
launch-open-launch = Açık bir lansman taslağınız var
launch-open-upload = Açık bir metadata yüklemeniz var
launch-open-about = Bunu { $since } başlattınız. Önce onu bitirin veya silin: aynı anda yalnızca bir tane olabilir.
launch-open-about-named = { $name }: bunu { $since } başlattınız. Önce onu bitirin veya silin: aynı anda yalnızca bir tane olabilir.
launch-discard-it = Sil

launch-step = { $mark } { $label }
launch-step-earlier = Önceki işlem
launch-step-metadata = Metadata
launch-step-built = İşlem
launch-step-check = Kontrol
launch-step-not-launched = çıkarılmadı
launch-step-is-built = hazırlandı
launch-step-failed = başarısız
launch-step-on-ipfs = zaten IPFS’te
launch-step-published = IPFS’e yüklendi
launch-step-not-verified = doğrulanmadı
launch-step-not-passed = geçmedi
launch-step-read = her bayt okundu; simüle edilmedi
launch-step-rehearsed = her bayt okundu ve ağda simüle edildi
launch-step-called = her bayt okundu ve ağda çağrıldı
launch-step-logo-gone = Logonuz artık kayıtlı değil. Tekrar gönderin: /launch.
launch-step-no-publisher = Bu bot artık görsel yükleyemiyor. IPFS’te olan bir görsel kullanın.
launch-being-built = Zaten hazırlanıyor – ilerlemeyi yukarıdaki mesaj gösterir.
launch-unanswered = Bazı sorular hâlâ yanıtsız. /launch kaldığınız yerden devam eder.
launch-changed-since = Onayladıktan sonra yanıtlarınız değişti. /launch gösterir; bir kez daha onaylayın.
launch-no-longer-built = Bu lansman artık hazırlanmıyor. /launches gösterir; /launch yenisini başlatır.
launch-rebuild-waits = İşlemi hâlâ imzalanabilir. Önce o lansmanı iptal edin, yoksa tokenı iki kez çıkarabilirsiniz: /launches.
launch-rebuild-other-open = Açık başka bir taslağınız var. Onu /launch ile bitirin veya /cancel ile silin, sonra bunu yeniden hazırlayın.
launch-earlier-unseen = Önceki işlemin tokenı çıkarıp çıkarmadığını bilemiyorum.
launch-earlier-stands = Tokenın adresinde zaten bir kontrat var ama lansmanını henüz bulamadım. Şimdilik başka bir şey hazırlanmıyor, yoksa tokenı iki kez çıkarabilirsiniz. Birkaç dakika sonra /launches ile bakın.
launch-earlier-pending = Bunun için bir işlem yolda: { $hash }. Bekleyin, sonra /launches ile bakın.
launch-refused = İşlem yapması gerekeni yapmayacak, bu yüzden size verilmiyor: { $reason }.
launch-refused-listed = veri sağlayıcı { $token } adresinde zaten bir token listeliyor
launch-mismatch = İşlemde olması gereken yazmıyor, bu yüzden size verilmiyor. Operatöre bildirin.
launch-mismatch-values = beklenen { $expected }, bulunan { $found }
launch-template-fault = Hata şablonda: operatöre bildirin.
launch-template-fault-choose = Hata şablonda: başka bir tane seçin ya da operatöre bildirin.
launch-unverified-advice = Yalnızca aşağıdakilerin hepsini kabul ediyorsanız ve şablonu işletene güveniyorsanız devam edin. “Doğrulanmadı” işareti kalır.
launch-failed-bot = Bu sizin değil, botun hatası. Biraz sonra tekrar deneyin ya da operatöre bildirin.
launch-api-unauthorised = Veri sağlayıcı bu botun anahtarını kabul etmiyor. Bunu operatörün düzeltmesi gerekir.
launch-api-forbidden = Veri sağlayıcı bu isteği reddediyor. Operatörün incelemesi gerekir.
launch-api-blocked = Veri sağlayıcıyla aramdaki bir şey beni geçirmiyor. Sizinle ilgili değil. Biraz sonra tekrar deneyin.
launch-api-not-found = Veri sağlayıcı bu şablonu bilmiyor. Operatörün incelemesi gerekir.
launch-api-invalid = Veri sağlayıcı bu yanıtları kabul etmiyor. Onları değiştirin ya da operatöre sorun.
launch-api-busy = Veri sağlayıcı yoğun. Bir dakika sonra tekrar deneyin.
launch-api-unavailable = Veri sağlayıcı yanıt vermiyor. Biraz sonra tekrar deneyin.
launch-api-malformed = Veri sağlayıcı kullanılamaz bir şey gönderdi. Biraz sonra tekrar deneyin.
launch-ipfs-unavailable = Logonuz yüklenemedi: IPFS hizmeti yanıt vermiyor. Biraz sonra tekrar deneyin.
launch-ipfs-other = IPFS hizmeti logonuzdan farklı bir şey kaydetti, bu yüzden burada durdum. Operatörün incelemesi gerekir.
launch-ipfs-refused = IPFS hizmeti logonuzu reddediyor. Operatörün incelemesi gerekir.
launch-node-unavailable = Ağın node’u yanıt vermiyor, bu yüzden simülasyon yapılamadı. Biraz sonra tekrar deneyin.
launch-node-malformed = Ağın node’u kullanılamaz bir şey gönderdi. Biraz sonra tekrar deneyin.
launch-node-wrong-chain = Botun node’u başka bir ağda. Operatörün RPC_URLS ayarını kontrol etmesi gerekir.
launch-change-answer = Yanıtı değiştir
launch-change-vesting = Vesting’i değiştir
launch-change-fees = Paylaşımı değiştir
launch-change-template = Şablonu değiştir
launch-build-again = Yeniden hazırla
launch-build-anyway = Yine de hazırla
launch-unverified = Doğrulanmadan devam
launch-my-launches = Lansmanlarım

launch-ready = İmzaya hazır: { $token }
launch-not-verified = Doğrulanmadı: { $token }
launch-not-verified-advice = Yalnızca şablonu işletene güveniyorsanız imzalayın.
launch-reported = Bunun için bir işlem bildirildi: { $hash }. Tokenı çıkardığını göremiyorum; önce cüzdanınızda veya bir explorer’da kontrol edin.
launch-reported-late = Bağlantının süresi dolduktan sonra bunun için bir işlem bildirildi: { $hash }. Tokenı çıkardığını göremiyorum; önce cüzdanınızda veya bir explorer’da kontrol edin.
launch-no-page = Bu botun imzalama sayfası yok. Dosyalar Safe ile ve calldata gönderebilen her cüzdanla çalışır.
launch-link-none = Henüz bağlantı yok. Almak için Yeni bağlantı’ya basın.
launch-link-expired = Bağlantının süresi doldu. Yenisini almak için Yeni bağlantı’ya basın.
launch-link-ends = Bağlantının süresi { $end } dolar.
launch-link-ends-with-payload = Bağlantının süresi { $end } dolar; ondan sonra bu işlem tokenı artık çıkaramaz.
launch-link-shown-once = Onu yalnızca bir kez gösteririm; Yeni bağlantı onun yerine geçer.
launch-link-is-new = Bu yeni bir bağlantı. Öncekisi artık çalışmıyor.
launch-notified-privately = Canlı olunca size DM’den yazarım – DM’lerinizin açık olduğundan emin olun.
launch-sign-only-on = Yalnızca { $host } üzerinde imzalayın, başka hiçbir yerde imzalamayın.
launch-never-asks = Bu bot asla özel anahtar, kurtarma kelimeleri (seed phrase) veya harcama onayı (approve) istemez ve bunlar için size asla özelden ilk mesajı atmaz.
launch-not-yours = Böyle bir lansmanınız yok. Sizinkileri /launches gösterir.

launch-sign = Cüzdanla imzala
launch-new-link = Yeni bağlantı
launch-raw = İşlem verisi
launch-revoke = Bu lansmanı iptal et…
launch-show = Lansmanı göster

launch-revoke-title = Lansman iptal edilsin mi? { $token }
launch-revoke-about = Bağlantı hemen çalışmaz olur. İşlemin dosyası elinde olan ya da imzalama sayfasını bir cüzdanda açmış olan herkes onu yine de imzalayabilir: bu geri alınamaz. Bir hafta izlemeye devam eder, yine de çıkarılırsa size haber veririm.
launch-revoke-yes = Lansmanı iptal et
launch-revoke-no = Kalsın
launch-revoked = İptal edildi: { $token }
launch-revoked-link = Bağlantı artık çalışmıyor.
launch-expired = Süresi doldu: { $token }
launch-expired-unsigned = Zamanında kimse imzalamadı.
launch-expired-reported = Artık imzalanamaz.
launch-ended-about = İşlemin dosyası elinde olan herkes onu yine de imzalayabilir; bir hafta izlemeye devam ederim. Yeniden hazırla, başka adreste yeni bir token için yeni bir işlem oluşturur.
launch-unseen = Zaten çıkarıldı mı? { $token }
launch-unseen-about = O işlem gerçekleşirse token canlıdır ve yeniden hazırlamak ikinci bir token çıkarır.
launch-unseen-unchecked = Kontrol edemedim: bu bot o ağı göremiyor.
launch-unseen-until = Ağ onu bilmiyor ama hâlâ yolda olabilir: yeniden hazırlamadan önce şu zamana kadar bekleyin: { $until }.

launch-raw-title = İşlem verisi: { $token }
launch-raw-to = Alıcı
launch-raw-value = Tutar
launch-raw-digest = Calldata özeti
launch-raw-about = İlk dosyada işlem, özeti ve içindeki her şey var. İkincisi Safe’in Transaction Builder’ı için. İmzalayan kişi tokenı çıkarır, bu yüzden ikisini de kimseyle paylaşmayın. Ağı izler, canlı olunca haber veririm.

launch-signer = Başka bir cüzdan imzalamak istiyor: { $token }
launch-signer-named = Belirttiğiniz
launch-signer-is = İsteyen
launch-signer-about = Gas’ı imzalayan öder; kimin ne alacağı sizin ayarladığınız gibi kalır. Bu siz değilseniz reddedin ve lansmanı iptal edin.
launch-signer-waits = Başka bir cüzdan imzalamak istiyor: { $account }
launch-signer-allow = İzin ver
launch-signer-refuse = Reddet
launch-signer-allow-account = İzin ver: { $account }
launch-signer-refuse-account = Reddet: { $account }
launch-signer-allowed = İmzalamasına izin verildi: { $token }
launch-signer-allowed-about = İmzalama sayfasında devam edebilirsiniz.
launch-signer-allowed-late = Bağlantının süresi doldu, bu yüzden onunla artık bir şey imzalanamaz. Yeni bağlantı bu cüzdan için de geçerlidir.
launch-signer-refused = İmzalamasına izin verilmedi: { $token }
launch-signer-refused-about = İmzalama sayfası orada durur. Bağlantıyı kimseye vermediyseniz lansmanı iptal edin.

launch-launched = 🚀 Çıkarıldı: { $token }
launch-launched-late = İşlem hâlâ elinde olan biri, süresi bittikten sonra onu imzaladı.
launch-not-listed-yet = Kartı, veri sağlayıcı tokenı listeleyince çalışır.
launch-fees = 💰 Alınabilecek komisyon: { $fees }
launch-fees-none = 💰 Alınabilecek komisyon: şu anda yok
launch-fees-claim = Explorer’da alın
launch-fees-how = orada { $account } cüzdanını bağlayıp collectFees’i şununla çağırın
launch-pool = Havuz
launch-transaction = İşlem
launch-follow-own = 🔔 Müzayedeyi takip et
launch-share-on = 📤 { $place }
launch-announce = 📣 Duyur…
launch-announce-command = Bir lansmanı bir sohbette duyurun
launch-announce-launch = Lansman
launch-announce-title = { $token } duyurusu
launch-announce-about = Nerede? Siz onaylayınca kartını oraya gönderirim.
launch-announce-none = Benim bulunduğum ve sizin yönettiğiniz bir sohbeti henüz bilmiyorum.
launch-announce-elsewhere = Listede yok mu? Yönettiğiniz bir kanalda { $command } gönderin: orada duyurabilirsiniz.
launch-announce-other = Başka sohbet…
launch-announce-pick = Yönettiğiniz bir kanal veya grup seçin.
launch-announce-in = { $token }, { $chat } içinde duyurulsun mu?
launch-announce-what = Kartını butonlarıyla birlikte oraya gönderirim.
launch-announce-yes = 📣 Duyur
launch-announce-no = ◀ Diğer sohbetler
launch-announced-in = 📣 { $chat } içinde duyuruldu: { $token }
launch-announce-again = Başka yerde duyur
launch-announce-uncertain = Mesajım ulaştı mı bilmiyorum. Tekrar denemeden önce oraya bakın.
launch-again = Bu ayarlarla yeniden çıkar
launch-again-about = Bu lansman son lansmanınızın ayarlarını kullanıyor: ad, ticker, açıklama ve logo dışında her şey. Son kontrolde değiştirebilirsiniz.
launch-reverted = Çıkarılmadı: { $token }
launch-reverted-about = İşlem { $chain } ağında başarısız oldu. Token çıkarılmadı, yalnızca gas harcandı. Bir kez daha deneyin; yine olmazsa bu lansmanı iptal edip yeniden hazırlayın.
launch-silence = Bağlantınızın süresi doldu: { $token }
launch-silence-reported = Bir işlem bildirildi ama sonucunu göremiyorum. Cüzdanınızda veya bir explorer’da kontrol edin: gerçekleştiyse işiniz tamam.
launch-silence-unsigned = Gördüğüm kadarıyla hiçbir şey imzalanmadı.
launch-silence-link = Yeni bağlantı, aynı işlemi bir saat daha açar.
launch-draft-expired = Taslağınızın süresi doldu: { $token }
launch-draft-expired-about = Bir haftadır dokunmamıştınız. Token çıkarılmadı. /launch yenisini başlatır.

launch-list = Lansmanlarınız
launch-list-empty = Henüz hiç yok. /launch ile başlayın.
launch-list-next = Devam etmek için birine dokunun.
launch-list-open = { $step }: { $token }
launch-list-draft = 📝 taslak, son değişiklik { $since }
launch-list-launched = 🚀 çıkarıldı
launch-sale-raised = toplanan { $raised }
launch-sale-missing = toplanan { $raised }, minimuma { $missing } kaldı
launch-sale-reached = toplanan { $raised }, minimuma ulaşıldı
launch-sale-starts = { $relative } başlıyor
launch-sale-ends = { $relative } bitiyor
launch-sale-ended = { $relative } bitti
launch-list-uploaded = ✅ metadata yüklendi
launch-list-ended = ⌛ süresi doldu, son değişiklik { $since }
launch-list-waits = ✍️ imzanızı bekliyor
launch-list-waits-link = ✍️ imzanızı bekliyor, bağlantının süresi { $end } dolar
launch-list-reported = ✍️ bir işlem bildirildi
launch-list-reported-link = ✍️ bir işlem bildirildi, bağlantının süresi { $end } dolar
launch-list-revoked = ⛔ iptal edildi
launch-list-revoked-reported = ⛔ iptal edildi ama bir işlem bildirildi
launch-list-expired = ⌛ zamanında imzalanmadı
launch-list-expired-reported = ⌛ bitti ama bir işlem bildirildi
launch-list-resume = Devam et
launch-list-show = Aç
launch-list-begin = Yenisini başlat
launch-list-sign = İmzala veya iptal et

## Launch: what a payload says, and whether it is verified

terms-first = Önce buna bakın
terms-group-supply = Arz
terms-group-price = Fiyat
terms-group-fees = Komisyonlar
terms-group-raised = Satıştan sonra
terms-group-control = Kontrol
terms-group-cost = Maliyet
terms-alarm = ⚠️ { $label }
verify-asked = { $does }. Sizin istediğiniz: { $asked }
terms-sentences = { $first }. { $second }
terms-share = { $share } → { $account }
terms-percent = %{ $number }
terms-more = { $count } tane daha
terms-none = yok
terms-tokens =
    { $count ->
        [one] { $amount } token
       *[other] { $amount } token
    }
terms-tokens-share = { $tokens } ({ $share })

terms-you = siz
terms-nobody = hiç kimse (yakılır)
terms-burned = yakılan tokenlar
terms-dao = tokenın DAO’su
terms-contract = lansman kontratı
terms-integrator = entegratör
terms-integrator-account = entegratör { $account }
terms-protocol = protokol
terms-protocol-account = protokol { $account }

terms-days = { $count } gün
terms-about-days = yaklaşık { $count } gün
terms-hours = { $count } saat
terms-minutes = { $count } dakika
terms-seconds = { $count } saniye
terms-blocks = { $count } blok
terms-thousands-of-years = binlerce yıl
terms-far-future = çok uzak bir gelecekte
terms-at-launch = lansman anı
terms-after-build = onayladıktan { $time } sonra

terms-mark-same = ✓
terms-mark-same-simulated = ✓ simüle edildi
terms-mark-simulated = · simüle edildi
terms-marks = ✓ anlamı: istediğiniz gibi.
terms-marks-simulated = ✓ anlamı: istediğiniz gibi. Simüle edildi: ağdaki bir deneme çalıştırması aynısını gösterdi.

terms-supply = Arz
terms-supply-collectibles = { $tokens }, her { $unit } token için bir koleksiyon parçası (NFT)
terms-sale = Satışta
terms-sale-share = arz payı { $share }
terms-sale-tokens = { $tokens } (arz payı { $share })
terms-sale-named = Lansmanda { $share } yazıyor ama havuz bundan fazlasını almıyor
terms-vesting = Vesting
terms-vesting-none = yok
terms-vesting-line = { $what } → { $account }
terms-vesting-at-once = { $what } → { $account }, hemen
terms-vesting-over = { $what } → { $account }, { $time } boyunca kademeli olarak
terms-vesting-cliff = { $what } → { $account }, { $time } boyunca kademeli olarak (ilk { $cliff } hiç açılmaz)
terms-rest = Arzın kalanı
terms-rest-none = kalan yok
terms-rest-tokens = { $tokens } ({ $share }) → { $account }
terms-minting = Her yıl yeni token
terms-minting-never = { $share } ayarlanmış ama yalnızca mezuniyette başlıyor ve bu token hiç mezun olmuyor
terms-minting-later = mezuniyetten sonra arza oranla en fazla { $share } → { $account }

terms-quote = Karşıt token
terms-quote-unknown = { $symbol } { $account }
terms-opening = Başlangıç fiyatı
terms-opening-at = token başına { $price } { $quote }, { $cap }
terms-opening-buys = Başlangıçta 1 { $quote } ile { $amount } token alınır
terms-cap = piyasa değeri { $cap } { $quote }
terms-cap-dollars = piyasa değeri { $cap } { $quote } (yaklaşık { $dollars })
terms-cap-range = piyasa değeri { $lowest } ile { $highest } { $quote } arasında
terms-curve = Sonraki fiyat
terms-curve-rises = alım oldukça yükselir, en fazla token başına { $price } { $quote }, { $cap }
terms-curve-falls = kimse almadıkça düşer, en az token başına { $price } { $quote }, { $cap }
# { $drawing }: a curve made of ▁▂▃▄▅▆▇█.
terms-curve-drawn = { $drawing } { $curve }
terms-curve-cost = Satıştakilerin tümünü almanın maliyeti { $cost } { $quote }
terms-shape = Eğri ayrıntıları
terms-raise = Toplanacak tutar
terms-raise-any = herhangi bir tutar, alt sınır yok. { $max } { $quote } olunca erken biter
terms-raise-between = en az { $min } { $quote }: daha azıyla mezun olmaz ve alıcılar yalnızca geri satabilir. { $max } { $quote } olunca erken biter
terms-trading = Alım satım
terms-trading-now = lansmanda başlar, sonu yok
terms-trading-from = başlangıç: { $start }; sonu yok
terms-trading-for = başlangıç: { $start }; en fazla { $time } sürer
terms-trading-until = başlangıç: { $start }; en fazla { $time } sürer, bitiş: { $end }
terms-purchase = İlk alım
terms-purchase-for = { $paid } { $quote } karşılığında en az { $tokens } → { $account }
terms-proceeds = Toplanan para
terms-proceeds-stuck = sonsuza dek müzayedede kalır: bu token mezun olamaz ve müzayede bitince alım satım durur
terms-proceeds-locked = likidite olarak sonsuza dek havuzda kalır; bu token mezun olmaz
terms-proceeds-all = mezuniyette ({ $when }) tamamı { $pool } üzerinde likidite olur
terms-proceeds-split = mezuniyette ({ $when }) { $share }, kalanı { $pool } üzerinde likidite olur
terms-proceeds-fail = Ama bu başarısız olur: her şey satılınca yeni havuz için token kalmaz, bu yüzden asla mezun olamaz
terms-graduates-at-end = müzayede bitince
terms-graduates-at-price = fiyat { $price } { $quote } olunca
terms-liquidity = Mezuniyet sonrası likidite
terms-liquidity-locked = { $share } sonsuza dek kilitli
terms-liquidity-locked-for = { $share } { $time } kilitli, sonra → { $account }

terms-trading-fee = İşlem komisyonu
terms-fee-fixed = alım satım başına { $share }
terms-fee-falls = başta alım satım başına { $share }, { $time } içinde { $last } oranına düşer
terms-fee-falls-from = başta alım satım başına { $share }, { $time } içinde { $last } oranına düşer; düşüşün başlangıcı: { $start }
terms-hook-fee = Hook komisyonu
terms-hook-takes = { $fee }, işlem komisyonuna ek olarak. Bunun %5’i protokole gider. Kalanı, token olarak ödenirse: { $tokens }; { $quote } olarak ödenirse: { $taken }
terms-hook-part = { $share } → { $use }
terms-hook-to = { $account }
terms-hook-swapped = { $account } (takas edilip { $quote } olarak)
terms-hook-buys = token alımı → { $account }
terms-hook-liquidity = havuzun likiditesi
terms-hook-beneficiaries = hook’un hak sahipleri
terms-hook-payees = Hook’un hak sahipleri: { $payees }
terms-hook-payees-rest = Bu şekilde kullanılamayan kısım: { $payees }
terms-hook-changed-by = Ne için kullanılacağını değiştirebilen: { $account }
terms-shares = İşlem komisyonları
terms-shares-of-nothing = kimseye gitmez: işlem komisyonu %0 (kontratta yazan: { $shares })
terms-shares-none = size gitmez. Mezuniyetten sonra %80–95’i entegratöre, %5–20’si protokole gider
terms-shares-without-you = size gitmez: { $shares }
terms-integrator-label = Entegratör (lansmanı yaptığınız uygulama)
terms-later-fee = Mezuniyet sonrası komisyon
terms-later-fee-fixed = alım satım başına { $share }, tick aralığı { $spacing }
terms-later-fee-dynamic = başta alım satım başına { $share } (bir hook değiştirebilir), tick aralığı { $spacing }
terms-later-hook = Mezuniyet sonrası hook komisyonu
terms-later-shares = Mezuniyet sonrası komisyonlar

terms-limit = Cüzdan başına sınır
terms-limit-over = en fazla { $tokens }, ama sınırın süresi zaten bitti
terms-limit-fixed = en fazla { $tokens }, şu zamana kadar: { $end }; daha önce kimse kaldıramaz
terms-limit-lifted = en fazla { $tokens }, şu zamana kadar: { $end }; daha önce kaldırabilen: { $account }
terms-limit-excluded = Vesting ve şunlar için geçerli değil: { $accounts }
terms-governance = Yönetişim
terms-governance-flag = yok (hiçbir kontratın okumadığı bir bayrakla: { $flag })
terms-governance-nobody = kimse hiçbir şeye karar veremez
terms-governance-you = tek başınıza siz karar verirsiniz
terms-governance-account = tek başına karar veren: { $account }
terms-governance-dao = token sahiplerinin oy verdiği bir DAO
terms-governance-named = token sahiplerinin oy verdiği bir DAO: “{ $name }”
terms-governance-votes = Arzın %8’inin katılması gerekir. { $proposers }, lansmandan 90 gün sonrasından itibaren. Oylama { $delay } sonra başlar, { $period } sürer ve bir gün sonra yürürlüğe girer
terms-governance-anybody = Herkes öneri verebilir
terms-governance-holders = En az { $tokens } tutanlar öneri verebilir
terms-owner = Tokenın sahibi
terms-owner-contract = sonsuza dek lansman kontratı: adı, metadatayı veya kuralları kimse değiştiremez
terms-owner-nobody = lansman kontratı, mezuniyetten sonra hiç kimse
terms-owner-account = lansman kontratı; mezuniyetten sonra { $account }: metadatayı ve ne kadar token basılacağını değiştirebilir
terms-owner-hooks = Yönetişim, her alım satımdan komisyon alabilen başka bir hook bağlayabilir
terms-contracts = Kontratlar
terms-idle = Ayarlı ama etkisiz
terms-binding = Kim çıkarabilir
terms-binding-only = yalnızca { $account }, şu zamana kadar: { $end }; token { $token }, operatörün { $hash } için verdiği imzayla
terms-metadata = IPFS’teki metadata
terms-metadata-same = kontrol edildi, yazdığınız gibi
terms-metadata-unchecked = kontrol edilmedi: { $why }
terms-metadata-field = { $name }: { $found } (sizin yazdığınız: { $typed })

terms-value = Ödeme
terms-value-sent = { $amount } { $coin }, işlemle birlikte gönderilir
terms-gas = Ağ ücreti (gas)
terms-gas-units = yaklaşık { $gas } gas, cüzdanınız öder
terms-gas-fee = yaklaşık { $fee } { $coin }, cüzdanınız öder
terms-gas-dollars = yaklaşık { $fee } { $coin } ({ $dollars }), cüzdanınız öder
terms-gas-over = Tek bir işlemin kullanabileceğinden (16,78 milyon) fazla gas gerekiyor: ağ bunu reddedecek

terms-simulation = Simülasyonda
terms-taken = cüzdanınızdan ağ ücretinden fazlasını alıyor
terms-cannot-sell = satış başarısız: { $why }
terms-cannot-collect = komisyonları toplama başarısız: { $why }
terms-stranger = Token alan başka biri
terms-stranger-gets = { $account }: { $tokens }

terms-chain = Ağ
verify-chain-named = { $chain } ({ $id })
verify-chain-testnet = { $chain } ({ $id }), TESTNET
terms-token = Token adresi
terms-token-unknown = lansmandan önce bilinmiyor
terms-contract-called = Kontrat
verify-forwards = Yönlendirdiği
terms-digest = Calldata özeti
verify-not-compared = Veri sağlayıcı tekrarlamadığı için karşılaştırılmadı: { $fields }.
verify-not-simulated = Simüle edilmedi: { $why }.
verify-would-pass = Ağ bunu şu an kabul eder.
verify-bot-takes-nothing = Bu bot hiçbir şey almaz.

terms-not-verified = Doğrulanmadı:
verify-doubts = { $doubts }.
verify-doubt-and = { $first }; { $next }
terms-why-old = bu botun daha az kontrol yapan eski bir sürümüyle hazırlandı
terms-why-unsendable = { $chain } ağında { $entry } içeren bilinen bir kontrat yok
terms-why-unpriced = fiyatları bilinmiyor, çünkü karşıt tokenının kaç ondalık basamağı olduğu hiçbir yerde yazmıyor
terms-why-template = şablon değişti
terms-quoted = “{ $label }”
terms-why-template-rows = şablon, operatör ne yaptığını kaydettikten sonra değişti: { $rows }
terms-why-different = “{ $row }” istediğiniz gibi değil
terms-why-metadata = IPFS’teki metadata yazdığınızdan farklı: { $names }
terms-why-simulation-row = simülasyon “{ $row }” için başka bir şey gösteriyor
terms-why-taken = simülasyonda, işlemin göndermediği parayı cüzdanınızdan alıyor
terms-why-cannot-sell = simülasyonda satın alınan geri satılamadı
terms-why-cannot-collect = simülasyonda satın alınanın komisyonları toplanamadı
terms-why-stranger = simülasyonda, lansmanda belirtilmeyen bir hesap token alıyor
terms-why-quote = alıcılar bu botun tanımadığı bir tokenla ödüyor
terms-why-cap-dollar = başlangıçtaki piyasa değeri bir doların altında
terms-why-cap-thousandth = başlangıçtaki piyasa değeri bir karşıt tokenın binde birinin altında
terms-why-cost-dollar = satıştakilerin tümünün maliyeti bir doların altında
terms-why-cost-thousandth = satıştakilerin tümünün maliyeti bir karşıt tokenın binde birinin altında
terms-why-flat = kaç kişi alırsa alsın fiyat neredeyse hiç yükselmiyor
terms-why-purchase = aynı işlemde, kimsenin istemediği bir token alımı yapıyor
terms-why-stuck = toplanan para müzayededen asla çıkamaz
terms-why-never-graduates = asla mezun olamaz
terms-why-split = toplanan paranın bir kısmı kimsenin belirtmediği bir hesaba gidiyor
terms-why-liquidity = likidite kimsenin belirtmediği bir hesaba gidiyor
terms-why-vesting = vesting dört yıldan uzun sürüyor
terms-why-rest = arzın bir kısmı kimsenin belirtmediği bir hesaba gidiyor
terms-why-minting = sonradan yeni token basılabilir
terms-why-minting-never = token basımı ayarlanmış ama asla başlamıyor
terms-why-limit-account = cüzdan başına sınırı kimsenin belirtmediği bir hesap yönetiyor
terms-why-limit-low = bir cüzdan arzın binde birini bile tutamaz
terms-why-limit-long = cüzdan başına sınır bir yıldan uzun sürüyor
terms-why-governance = kimsenin belirtmediği bir hesap tek başına karar veriyor
terms-why-vote = oylamalar o kadar kısa ki neredeyse kimse katılamaz
terms-why-binding = bunu çıkarabilecek hesap başka bir hesap
terms-why-fee = işlem komisyonu %5’in üzerinde
terms-why-fees-together = havuz ve hook komisyonlarının toplamı %5’in üzerinde
terms-why-later-fee = mezuniyet sonrası komisyon %5’in üzerinde
terms-why-hook-fee = hook’un komisyonu %5’in üzerinde
terms-why-hook-payees = hook’un aldığı, kimsenin belirtmediği bir hesaba gidiyor
terms-why-hook-buyback = hook’un aldığını, kimsenin belirtmediği bir hesap alabilir
terms-why-shares = komisyonlar kimsenin belirtmediği bir hesaba gidiyor
terms-why-integrator = komisyonların çoğu kimsenin belirtmediği bir hesaba gidiyor

verify-step-done = tamam
verify-step-running = sürüyor…
verify-step-to-come = sırada
verify-step-failed = başarısız
verify-building = Hazırlanıyor: { $token }
verify-not-built = Henüz hazırlanmadı: { $token }
verify-uploaded = Yüklendi: { $token }
verify-uploaded-uri = Bu, token URI’si. Token çıkarılmadı.
verify-too-many-active = { $count } lansmanınız imza bekliyor; daha fazlası olamaz. Birini /launches ile iptal edip buradan devam edin.

## Launch: why one is refused, or could not be checked

# İki noktadan sonra gelir: sonunda nokta olmayan ifadeler. { $detail } İngilizcedir.
refused-by-contract = lansman kontratı kabul etmiyor: { $why }
refused-template = sorun şablonda (“{ $detail }”)
refused-vesting-one = tek kişiye vesting { $amount }; kontratın izin verdiği en fazla { $limit }
refused-vesting-all = toplam vesting { $amount }; kontratın izin verdiği en fazla { $limit }
refused-vesting-rest = toplam vesting { $amount }: arzdan satılacak bir şey kalmıyor
refused-vesting-sale = vesting ile satışın toplamı arzdan fazla
refused-vesting-length = vesting en az bir gün ve en az cliff’i kadar sürmeli
refused-vesting-none = vesting miktarı sıfır ya da alıcısı boş olamaz
refused-fees-no-protocol = komisyonlarda protokolün kendi payı eksik
refused-fees-protocol = protokolün komisyon payı { $given }; kontrat en az { $minimum } istiyor
refused-fees-protocol-low = protokolün komisyon payı kontratın istediğinden az
refused-fees-sum = komisyon paylarının ya da eğri paylarının toplamı %100 değil
refused-fees-order = komisyon paylarında biri iki kez var ya da paylar adres sırasında değil
refused-fees-none = birinin komisyon payı sıfır
refused-limit-ends = cüzdan sınırı başlamadan bitiyor
refused-start-passed = satışın başlangıcı geçti
refused-sale-ends = satış başlamadan bitiyor
refused-not-started = satış başlamadan işlem yapılamaz
refused-pool-exists = havuzu zaten var: token çıkarılmış olabilir
refused-deployed = tokenı dağıtılamıyor: zaten çıkarılmış olabilir
refused-unknown = burada bilinmeyen bir hata, { $error }
refused-fault = kontratta bir hata, { $error }
refused-by-hook = hook’u neden göstermeden reddediyor
refused-unexplained = neden gösterilmeden reddediliyor
refused-silent = nedenini söylemiyor: büyük olasılıkla havuz verileri çözülemiyor ve şablon bozuk
refused-saying = “{ $text }”
refused-malformed = simülasyonda hiçbir lansmanın yapmadığı bir şey yapıyor (“{ $detail }”)
refused-other-token = { $expected } değil, { $found } tokenını oluştururdu
refused-no-launcher = { $account } adresinde lansman kontratı yok
refused-module = lansman kontratı { $account } adresini { $kind } olarak tanımıyor
refused-exists = { $token } adresinde zaten bir kontrat var
verify-called-lacks = Node’da eth_simulateV1 yok: lansman denendi ama kimin ne alacağı görülmedi.
verify-called-fails = Node eth_simulateV1’de hata veriyor: lansman denendi ama kimin ne alacağı görülmedi.
verify-late-launcher = kontratı bunu o kadar kısa süre kabul ediyor ki kimse imzalayamaz: yeniden hazırlayın
verify-late-start = satış kimse imzalayamadan başlıyor: operatör bu şablon için daha geç bir başlangıç istemeli
verify-no-node = bu ağ için node ayarlanmamış, bu yüzden yalnızca calldata kontrol edildi
verify-unreadable = calldata’sı bu botun okuyabildiği bir çağrı değil
metadata-no-reader = bu botun IPFS’i okuyacak aracı yok
metadata-no-cid = { $uri } IPFS’te bir dosya göstermiyor
metadata-late = IPFS zamanında vermedi
metadata-large = IPFS’in verdiği { $size } KiB’tan büyük
metadata-refused = IPFS veremiyor ya da vermiyor
metadata-other-bytes = IPFS, CID’nin gösterdiğinden farklı baytlar verdi
metadata-no-file = CID bir dosya göstermiyor
metadata-all = tamamı
metadata-typed = tokenın metadatası
metadata-name = ad
metadata-description = açıklama
metadata-picture = görsel
metadata-links = bağlantılar
metadata-vesting = vesting
metadata-fee-receiver = komisyon alıcısı
metadata-categories = kategoriler
metadata-nothing = hiçbir şey
metadata-missing = yok
metadata-not-text = metin olmayan baytlar
metadata-not-object = JSON nesnesi değil: { $text }
metadata-deep = fazla iç içe JSON
metadata-twice = bir alanın iki kez yer aldığı JSON

## The signing page

sign-title = Lansmanı imzala · Gavel
sign-never = Bu sayfa asla harcama onayı (approve), özel anahtar veya kurtarma kelimeleri (seed phrase) istemez. Bunları isteyen dolandırıcıdır.
sign-needs-javascript = Bu sayfanın cüzdanınızla konuşabilmesi için JavaScript gerekir. Olmadan devam etmek için sohbette işlem verisini isteyin.
sign-value = Tutar: { $amount }.
sign-coins = { $amount } { $coin }
sign-expires = Bağlantının süresi: { $time }
sign-expires-hours = Bağlantının süresi: { $hours } sa { $minutes } dk
sign-way-sign = İmzalamaya git ↓
sign-way-help = Ne yapılacağını gör ↓
sign-way-more = Daha fazlası ↓
sign-way-transaction = İşlemi gör ↓
sign-no-wallet-here = Burada cüzdan yok

sign-to-chat = Sohbete dön ({ $platform })
sign-token-testnet = Token lansmanı – { $chain } · TESTNET
sign-token-on = Token lansmanı – { $chain }
sign-picture = Token logosu
sign-invisible = Adda veya ticker’da burada gösterilmeyen görünmez karakterler var.
sign-if-you-know = Yalnızca bunun ne yaptığını biliyorsanız imzalayın.
sign-if-you-know-unread = Yalnızca bunun ne yaptığını biliyorsanız imzalayın: ad ve ticker yalnızca sohbette yazılanlardır.
sign-passes = Ağ bunu şu an kabul eder.
sign-fails = Ağ bunu şu an kabul etmez.
sign-not-simulated = Ağda simüle edilmedi.
sign-simulated-before-fails = Bu, hazırlandığı sıradaydı; ağ bunu şu an kabul etmez.
sign-simulated-before = Bu, hazırlandığı sıradaydı; şu an yeniden simüle edilemedi.
sign-does = Ne yapıyor
sign-asked = Sizin istediğiniz
sign-who = Kim ve nerede
sign-you = Bu tabloda “siz”
sign-wallet = Cüzdan
sign-chain-named = { $chain } (zincir kimliği { $id })
sign-simulation = Simülasyon
sign-simulation-failed = başarısız: { $why }
sign-whole = Özetin ve calldata’nın tamamı
sign-compare = Sohbet, özetin aynı karakterlerini gösterir. Karşılaştırın.
sign-metadata = Metadata
sign-calldata = Calldata ({ $bytes } bayt)

sign-loading = Yükleniyor…
sign-again = Tekrar dene
sign-no-link = Böyle bir bağlantı yok
sign-no-answer = Yanıt yok

sign-blocked = Bunu imzalamayın
sign-blocked-why = Bu sayfanın işlemde okuduğu, botun söylediğiyle aynı değil:
sign-blocked-next = İmzalama engellendi. Sohbete dönün, /launches gönderin ve bu lansmanı iptal edin.
sign-fault = { $what }: işlemde “{ $here }” var, bot “{ $stated }” dedi.
sign-fault-value = Tutar
sign-fault-name = Ad
sign-fault-symbol = Ticker
sign-fault-verified = Bot doğrulandığını söyledi, ancak: { $doubt }.
sign-doubt-said = bot bunu sohbette söyledi
sign-failing = Şu an gönderilse başarısız olur
sign-failing-why = Simülasyon başarısız: { $why }
sign-no-reason = bir neden belirtilmedi.
sign-sentence = { $text }.
sign-failing-blocked = İmzalama engellendi, çünkü ağ ücretini boşuna ödersiniz.
sign-failing-next = Başarısız olmaya devam ederse sohbete dönün, /launches gönderin ve lansmanı yeniden hazırlayın.
sign-check = Tekrar kontrol et
sign-checking = Kontrol ediliyor…

sign-nowhere = Bu tarayıcıda cüzdan yok
sign-nowhere-next = Bu sayfayı cüzdanınızın olduğu yerde açın. Bağlantı aynı kalır.
sign-connect-title = Cüzdanınızı bağlayın
sign-connect-safe = Bağlanmak bu sayfaya yalnızca adresinizi gösterir.
sign-elsewhere = Başka yerde imzala
sign-in-wallet = Cüzdanınızda onaylayın
sign-in-wallet-busy = Cüzdanınızda onaylayın…
sign-disconnected = Cüzdan bağlı değil
sign-disconnected-why = Cüzdanınız, bu sayfanın adresinizi görüp göremeyeceğini sorar. Başka hiçbir şeye izin vermez.
sign-connect = Bağlan
sign-no-window = Pencere açılmadı mı? Cüzdanınızı kendiniz açın. Başka bir cüzdan seçmek için bu sayfayı yenileyin.
sign-other-wallet = Başka cüzdan kullan
sign-switch-account = Hesap değiştir

sign-wrong-account = Yanlış cüzdan bağlı
sign-wrong-account-why = Bu lansman { $expected } için hazırlandı. Siz { $connected } ile bağlandınız. Değiştirirseniz token ve koşullar aynı kalır.
sign-prepared-for = Hazırlandığı cüzdan
sign-connected = Bağlı
sign-ask = İzin iste
sign-ask-about = Bu cüzdanın imzalayıp imzalayamayacağı, botla özel sohbette oluşturana sorulur.
sign-asking = Soruluyor…
sign-asked-title = Oluşturanın yanıtı bekleniyor
sign-asked-about = Bu cüzdanın imzalayıp imzalayamayacağı, botla özel sohbette oluşturana soruldu.
sign-asked-quietly = Zaten çok fazla cüzdan sorduğu için bot bu cüzdan hakkında mesaj göndermiyor. Oluşturana, botla özel sohbette /launches göndermesini söyleyin: bu cüzdana orada izin verilebilir.
sign-asked-by-itself = Bu sayfa kendiliğinden devam eder.
sign-asked-looking = Yanıt bekleniyor…
sign-refused = Oluşturan reddetti
sign-refused-about = Bu cüzdan imzalayamaz. Lansmanın hazırlandığı cüzdana geçin.
sign-ask-again = Tekrar sor
sign-ask-again-about = Bu bir yanlışlıksa oluşturana bir kez daha sorulabilir.
sign-ask-no-more = Bu cüzdan oluşturana birkaç kez soruldu, artık sorulmuyor.
sign-switch-chain = Ağı değiştir: { $chain }
sign-switch-chain-about = Cüzdanınız başka bir ağda. Bu lansman { $chain } ağında.

sign-ready = İmzaya hazır
sign-not-verified = Doğrulanmadı
sign-ready-about = Özeti sohbettekiyle karşılaştırın, sonra imzalayın. Cüzdanınız işlemi bir kez daha gösterir.
sign-signs-with = İmzalayan: { $wallet }
sign-a-wallet = cüzdanınız
sign-and-launch = İmzala ve çıkar
sign-no-window-signing = Pencere açılmadı mı? Cüzdanınızı kendiniz açın: istek orada bekliyor. Baştan başlamak için bu sayfayı yenileyin.
sign-cost = Ağ ücretini siz ödersiniz. İşlem coin göndermez.
sign-cost-coins = Ağ ücretini siz ödersiniz. İşlem ayrıca { $amount } gönderir.
sign-cost-verified = Ağ ücretini siz ödersiniz. İşlem coin göndermez ve hiçbir harcama onayı vermez.
sign-cost-coins-verified = Ağ ücretini siz ödersiniz. İşlem ayrıca { $amount } gönderir ve hiçbir harcama onayı vermez.

sign-pending = Gönderildi – onay bekleniyor
sign-pending-about = Bu sayfadan ayrılabilirsiniz. Tokenınız canlı olunca bot sohbette haber verir.
sign-missing = İşlem bulunamadı
sign-missing-about = Düşmüş ya da cüzdanınızda değiştirilmiş (hızlandırılmış veya iptal edilmiş) olabilir. Safe gibi birden çok imzacısı olan bir cüzdan hâlâ imza topluyor olabilir.
sign-look = Tekrar bak
sign-send-again = Tekrar gönder
sign-send-again-safe = Tekrar göndermek tokenı iki kez çıkaramaz: ikinci işlem başarısız olur.
sign-send-again-unsafe = Bu doğrulanmadı: tekrar göndermek, yaptığını iki kez yapabilir. Önce cüzdanınızı kontrol edin.
sign-reverted = İşlem başarısız oldu
sign-reverted-about = Ağ ücreti harcandı, token çıkarılmadı. Lansman güncelliğini yitirmiş olabilir: sohbete dönün, /launches gönderin ve yeniden hazırlayın.
sign-empty = Token çıkarılmadı
sign-empty-about = İşlem gerçekleşti ama bu tokenı oluşturmadı. Cüzdanınızda kontrol edin ve sohbette /launches gönderin.
sign-transaction = İşlem
sign-see-transaction = İşlemi gör
sign-launched = Çıkarıldı
sign-launched-about = Tokenınız canlı. Bot, kartını sohbette gösterir.
sign-see-token = Tokenı gör
sign-replaced = Bu bağlantı değiştirildi veya iptal edildi
sign-replaced-about = Artık imzalamak için kullanılamaz. Yeni bağlantı sohbetteki son mesajda ve /launches içinde.
sign-expired = Bu bağlantının süresi doldu
sign-expired-about = Bağlantılar yalnızca kısa süre çalışır. Sohbete dönüp /launches gönderin: lansmanınızı gösterir ve yeni bir bağlantı verir.
sign-revoked = Bu lansman iptal edildi
sign-revoked-about = Bu bağlantı artık imzalamak için kullanılamaz. Sohbete dönüp /launches gönderin: lansmanınızı ve neler yapabileceğinizi gösterir.
sign-sent-before = Daha önce gönderdiğiniz gönderilmiş kalır. Bot onu izler ve sohbette haber verir.

sign-open-in = { $wallet } ile aç
sign-phone = Telefonunuzdaki cüzdanla
sign-phone-about = Telefonunuzda bunlar, bu sayfayı cüzdanın kendi tarayıcısında açar.
sign-device = Başka bir cihazda
sign-device-about = Bu kodu orada tarayın ya da bağlantıyı cüzdanınızın olduğu tarayıcıya kopyalayın.
sign-qr = Bu sayfanın bağlantısının QR kodu
sign-copy = Bağlantıyı kopyala
sign-copied = Kopyalandı. Bu bağlantıya sahip olan herkes lansmanınızı görebilir: paylaşmayın.
sign-not-copied = Tarayıcınız kopyalamaya izin vermedi. Bağlantıyı buradan kopyalayın:
sign-link = Bu sayfanın bağlantısı
sign-without = Bu sayfa olmadan
sign-without-about = Sohbete dönüp “İşlem verisi” düğmesine basın: işlemin dosyasını ve Safe için bir dosya alırsınız.
sign-unnamed-wallet = Adsız cüzdan
sign-browser-wallet = Tarayıcı cüzdanı

sign-next-connect = Hazır olunca tekrar Bağlan’a basın.
sign-next-account = Hesabı cüzdanınızda da değiştirebilirsiniz.
sign-next-chain = Ağı cüzdanınızda da değiştirebilirsiniz.
sign-next-button = Düğmeye tekrar basın.
sign-next-check = Tekrar kontrol et’e yeniden basın.
sign-next-sign = Hazır olunca İmzala ve çıkar’a tekrar basın.
sign-page-fault = Bu sayfada bir şeyler ters gitti. Yenileyin. { $next }
sign-link-fault = { $fault } { $next }
sign-link-unknown = Bu imzalama bağlantısı yok: değiştirilmiş veya iptal edilmiş olabilir. Yenisi için sohbete dönüp /launches gönderin.
sign-link-busy = Çok fazla istek. Bir dakika bekleyin.
sign-link-unreachable = Bota ulaşılamadı ve hiçbir şey gönderilmedi. Bağlantınızı kontrol edin.
sign-unreachable = Bota şu an ulaşılamıyor. Bu sayfa denemeye devam ediyor.
sign-unreachable-sent = Bota şu an ulaşılamıyor. İşleminiz yine de yolda.
sign-other-tab = Başka bir sekme cüzdanınızı bekliyor. Orada yanıtlayın ya da o sekmeyi kapatın, sonra İmzala ve çıkar’a tekrar basın.
sign-sent-elsewhere = Buradan hiçbir şey gönderilmedi: bu bağlantıyla açılmış başka bir sayfa zaten gönderdi.
sign-changed = Hiçbir şey gönderilmedi: hemen öncesinde bir şey değişti. Aşağıya bakın.
sign-asked-too-soon = Oluşturana az önce soruldu. { $seconds } sn sonra tekrar sorun.
sign-wallet-refused = İstek cüzdanınızda reddedildi. Hiçbir şey gönderilmedi. { $next }
sign-wallet-pending = Cüzdanınız hâlâ önceki bir yanıtı bekliyor. Açın, orada yanıtlayın ve geri dönün. { $next }
sign-wallet-unauthorised = Cüzdanınız bu sayfaya artık adresini göstermiyor. Yeniden bağlayın.
sign-wallet-chain = Cüzdanınız { $chain } ağını bilmiyor. Orada Ağlar bölümünden elle ekleyin: zincir kimliği { $id }, coin { $coin }. Sonra cüzdanınızda o ağa geçin.
sign-wallet-chain-rpc = Cüzdanınız { $chain } ağını bilmiyor. Orada Ağlar bölümünden elle ekleyin: zincir kimliği { $id }, coin { $coin }, RPC { $rpc }. Sonra cüzdanınızda o ağa geçin.
sign-wallet-funds = Bu cüzdanda { $chain } ağında bu işlem için yeterli { $coin } yok. Önce ona biraz { $coin } gönderin. { $next }
sign-wallet-disconnected = Cüzdanınızın bağlantısı yok. Kontrol edip geri dönün. { $next }
sign-wallet-no-hash = Cüzdanınız bir işlem bildirmedi. Önce geçmişini kontrol edin: yine de göndermiş olabilir.
sign-wallet-other = Cüzdanınız yapmadı ve bir neden bildirmedi. Kontrol edin. { $next }
sign-wallet-says = Cüzdanınız yapmadı. Bildirdiği: “{ $reason }” { $next }

signing-unknown = Böyle bir imza bağlantısı yok. Sohbete dönüp /launches gönderin: yeni bir bağlantı verir.
signing-expired = Bu bağlantının süresi doldu. Yenisi için sohbete dönüp /launches gönderin.
signing-revoked = Bu lansman iptal edildi. Ne yapılabileceğini görmek için sohbete dönüp /launches gönderin.
signing-many = Çok fazla istek. Bir dakika bekleyip yeniden deneyin.
signing-failed = Burada bir sorun oldu. Biraz bekleyip yeniden deneyin.
