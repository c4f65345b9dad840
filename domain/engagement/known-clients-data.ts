/**
 * Agents and networks that are known not to be the browser of a person, or to stand between one and the mail
 * (docs/machine-signals.md#known-agents-and-networks). A line is `agent` or `network`, the class, and what to look for:
 * a part of the user agent in any case, after `=` the whole of it; or a network in CIDR form. A file of the operator
 * has the same form.
 *
 * What belongs here: agents that name themselves, and networks that their owner publishes and that serve no browsers.
 * What does not: clouds and VPNs, from which people browse too; and curl and wget, with which people try a link.
 */
export const KNOWN_CLIENTS = `
# Image proxies that load an image when a person opens the mail. The sender sees the proxy instead of the person.
# Gmail: "(via ggpht.com GoogleImageProxy)", whatever browser the person has; github.com/browscap/browscap/issues/1108.
agent proxy GoogleImageProxy
# Yahoo Mail and AOL: "YahooMailProxy", with a link to the help page about it, help.yahoo.com/kb/SLN28749.html.
agent proxy YahooMailProxy

# Prefetch: images are loaded though nobody looks at the mail.
# Apple Mail Privacy Protection (since September 2021) sends nothing but these eleven characters;
# github.com/ua-parser/uap-core/issues/509. Its exit networks are shared with the browsing of people (iCloud Private
# Relay), so the network tells nothing.
agent prefetch =Mozilla/5.0

# Mail filters that name themselves when they follow links. Source: braze.com/docs, "Bot filtering", has "Barracuda
# Sentinel (EE)". The others are names of vendors on the lists that senders of mail keep in public code on github.com
# (looked up in November 2026). No browser of a person names them.
agent scanner Barracuda
agent scanner Proofpoint
agent scanner Mimecast
agent scanner IronPort
agent scanner CiscoSecureEmail
agent scanner FireEye
agent scanner FortiMail
agent scanner Symantec
agent scanner TrendMicro
agent scanner Trend Micro
agent scanner ZScaler
agent scanner urlscan.io
agent scanner VirusTotal
agent scanner SafeLinks
# Microsoft: previews of links in Outlook, Teams and Skype. Source: the bots that github.com/vercel/next.js serves as such. Office
# asks whether a link exists before it opens the browser: blogs.msdn.com/b/vsofficedeveloper, "Office Existence Discovery".
agent scanner BingPreview
agent scanner SkypeUriPreview
agent scanner Microsoft Office Existence Discovery

# Browsers without a screen, and libraries that say so. Source: the agents they send unless they are set to another, as their
# own documentation has it (pptr.dev, docs.python-requests.org, pkg.go.dev/net/http, hc.apache.org, docs.scrapy.org).
agent scanner HeadlessChrome
agent scanner PhantomJS
agent scanner python-requests
agent scanner Python-urllib
agent scanner aiohttp/
agent scanner Go-http-client
agent scanner Apache-HttpClient
agent scanner libwww-perl
agent scanner Scrapy

# Previews that chat programs and social networks make of a link that was forwarded, and search engines that found one.
# Source: their pages about their robots, such as api.slack.com/robots, developers.facebook.com/docs/sharing/webmasters,
# developers.google.com/search/docs, bing.com/webmasters, support.apple.com/119829, and platform.openai.com/docs/bots.
agent scanner facebookexternalhit
agent scanner meta-externalagent
agent scanner WhatsApp/
agent scanner TelegramBot
agent scanner Twitterbot
agent scanner LinkedInBot
agent scanner Slackbot
agent scanner Slack-ImgProxy
agent scanner Discordbot
agent scanner Googlebot
agent scanner bingbot
agent scanner YandexBot
agent scanner Applebot
agent scanner Baiduspider
agent scanner DuckDuckBot
agent scanner SemrushBot
agent scanner AhrefsBot
agent scanner Bytespider
agent scanner GPTBot

# Addresses that filters publish as theirs, from which customers' servers get mail; browsers are not behind them.
# Barracuda Email Gateway Defense: campus.barracuda.com, "IP ranges used for configuration".
network scanner 64.235.144.0/20
network scanner 209.222.80.0/21
# Proofpoint: the SPF records of pphosted.com, and the networks of AS26211 and AS22843 that they lie in.
network scanner 67.231.144.0/20
network scanner 148.163.128.0/19
# Microsoft Exchange Online Protection: learn.microsoft.com, "Office 365 URLs and IP address ranges", row 10 (port 25).
network scanner 40.92.0.0/15
network scanner 40.107.0.0/16
network scanner 52.100.0.0/14
network scanner 104.47.0.0/17
network scanner 2a01:111:f400::/48
network scanner 2a01:111:f403::/48
`;
