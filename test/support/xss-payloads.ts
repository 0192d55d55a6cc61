/** Effect of an injected script, which tests listen for. */
const DEED = 'alert(1)';

const HANDLERS: [tag: string, handler: string][] = [
  ['img src=x', 'onerror'],
  ['svg', 'onload'],
  ['body', 'onload'],
  ['video src=x', 'onerror'],
  ['audio src=x', 'onerror'],
  ['input autofocus', 'onfocus'],
  ['select autofocus', 'onfocus'],
  ['textarea autofocus', 'onfocus'],
  ['button autofocus', 'onfocus'],
  ['details open', 'ontoggle'],
  ['marquee', 'onstart'],
  ['object data=x', 'onerror'],
  ['iframe src=x', 'onload'],
  ['style', 'onload'],
  ['a style=animation:x', 'onanimationstart'],
  ['div contenteditable autofocus', 'onfocus'],
];

/** Ways to write one element, some of which filters have missed. */
const SPELLINGS: ((tag: string, handler: string) => string)[] = [
  (tag, handler) => `<${tag} ${handler}=${DEED}>`,
  (tag, handler) => `"><${tag} ${handler}="${DEED}">`,
  (tag, handler) => `'><${tag.toUpperCase()} ${handler.toUpperCase()}='${DEED}'`,
  (tag, handler) => `</textarea></pre></code></title><${tag}\t${handler}\n=${DEED}//`,
];

/** Those among them that are an address: what a field must be given that becomes a link. */
export const XSS_ADDRESSES = [
  `javascript:${DEED}`,
  `JaVaScRiPt:${DEED}`,
  ` javascript:${DEED}`,
  `java\tscript:${DEED}`,
  `java\nscript:${DEED}`,
  `\u0001javascript:${DEED}`,
  `javascript&colon;${DEED}`,
  `&#106;avascript:${DEED}`,
  `javascript://example.com/%0a${DEED}`,
  `data:text/html,<script>${DEED}</script>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `vbscript:${DEED}`,
  `view-source:javascript:${DEED}`,
  `https://example.com/" onmouseover="${DEED}`,
];

/** Ways to make a link or picture of an address in Markdown, beside the address itself. */
const LINKS: ((address: string) => string)[] = [
  (address) => address,
  (address) => `[click](${address})`,
  (address) => `![picture](<${address}>)`,
];

const OTHERS = [
  `<script>${DEED}</script>`,
  `</script><script>${DEED}</script>`,
  `<scr<script>ipt>${DEED}</scr</script>ipt>`,
  `<script src=data:text/javascript,${DEED}></script>`,
  `<iframe srcdoc="<script>${DEED}</script>">`,
  `<meta http-equiv=refresh content="0;url=javascript:${DEED}">`,
  `<base href=javascript:${DEED}//>`,
  `<form action=javascript:${DEED}><button autofocus>x`,
  `<math><mtext><mglyph><style><!--</style><img title="--><img src=x onerror=${DEED}>">`,
  `<svg><animate onbegin=${DEED} attributeName=x dur=1s>`,
  `<noscript><p title="</noscript><img src=x onerror=${DEED}>">`,
  `<![CDATA[<img src=x onerror=${DEED}>]]>`,
  `\`<img src=x onerror=${DEED}>\`</code><img src=x onerror=${DEED}>`,
  `[x]: javascript:${DEED}\n[x]`,
  `<div hx-on:load="${DEED}" hx-get="data:,x" hx-trigger="load">`,
  `{{constructor.constructor('${DEED}')()}}`,
];

/** Texts that run a script where a page takes them for more than text; each is there once. */
export const XSS_PAYLOADS: string[] = [
  ...HANDLERS.flatMap(([tag, handler]) => SPELLINGS.map((spell) => spell(tag, handler))),
  ...XSS_ADDRESSES.flatMap((address) => LINKS.map((link) => link(address))),
  ...OTHERS,
];

/** The texts, with as many neighbours in one as fit into the length. */
export function joined(texts: readonly string[], length: number): string[] {
  return texts.reduce<string[]>((all, text) => {
    const together = `${all.at(-1) ?? ''} ${text}`;
    return all.length > 0 && together.length <= length
      ? [...all.slice(0, -1), together]
      : [...all, text];
  }, []);
}

/**
 * Records with a different text in each field, as many as it takes until each text is in one of
 * them. With more records the fields get further texts, with as many as there are texts all.
 */
export function spread<Field extends string>(
  texts: readonly string[],
  fields: readonly Field[],
  { atLeast = 1 }: { atLeast?: number } = {},
): Record<Field, string>[] {
  const count = Math.max(atLeast, Math.ceil(texts.length / fields.length));
  const step = Math.ceil(texts.length / count);
  const textOf = (index: number): string => texts[index % texts.length] ?? '';
  return Array.from(
    { length: count },
    (_, nth) =>
      Object.fromEntries(fields.map((field, at) => [field, textOf(nth * step + at)])) as Record<
        Field,
        string
      >,
  );
}
