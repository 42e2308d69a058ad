import { OpaqueValue, type Value } from '@millrace/rules';

/** A URL; its parts are members: `url.host`. */
export class UrlValue extends OpaqueValue {
  readonly url: URL;
  readonly #text: string;

  constructor(url: URL, text: string) {
    super();
    this.url = url;
    this.#text = text;
  }

  /** Undefined: the text is not a URL. */
  static parse(text: string): UrlValue | undefined {
    const url = URL.parse(text.trim());
    return url === null ? undefined : new UrlValue(url, text.trim());
  }

  override toString(): string {
    return this.#text;
  }

  override member(name: string): Value {
    const { url } = this;
    const query = url.search.slice(1);
    switch (name) {
      case 'protocol':
      case 'scheme':
        return url.protocol.slice(0, -1);
      case 'host':
        return url.hostname;
      case 'port':
        return url.port === '' ? undefined : Number(url.port);
      case 'path':
        return url.pathname;
      case 'file':
        return query === '' ? url.pathname : `${url.pathname}?${query}`;
      case 'query':
        return query;
      case 'fragment':
      case 'ref':
        return url.hash.slice(1);
      case 'userInfo':
        return url.password === '' ? url.username : `${url.username}:${url.password}`;
      case 'authority':
        return url.host;
      case 'queryParams':
        return new Map(
          [...new Set(url.searchParams.keys())].map((key) => [key, url.searchParams.getAll(key)]),
        );
      default:
        return undefined;
    }
  }
}
