/**
 * Starts Swagger UI. A file of its own, because the page's policy allows no inline scripts.
 *
 * Swagger UI wants a part of the document with its references replaced each time that something is shown for the first
 * time. Its own way converts the whole document again for each of them, which takes seconds for one as large as ours. It
 * is replaced here. That needs all references to lead into the document itself.
 */

/** Follows a JSON pointer that is split already. */
const valueAt = (document, path) => path.reduce((value, key) => value?.[key], document);

/** The path of `#/components/schemas/A` in its document. */
const pathOf = (reference) =>
  reference
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));

/** A copy in which values stand for references. `inside` are those around it: one that contains itself stays. */
function withoutReferences(value, document, inside) {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, document, inside));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference, ...rest } = value;
  if (typeof reference === 'string') {
    if (inside.includes(reference)) return value;
    const target = { ...valueAt(document, pathOf(reference)), ...rest };
    // Swagger UI takes the name that it shows from `$$ref`.
    return { ...withoutReferences(target, document, [...inside, reference]), $$ref: reference };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutReferences(item, document, inside)]),
  );
}

const localReferences = () => ({
  fn: {
    resolveSubtree: async (document, path) => ({
      spec: withoutReferences(valueAt(document, path), document, []),
      errors: [],
    }),
  },
});

window.ui = SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  tagsSorter: 'alpha',
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [localReferences],
  requestInterceptor: (request) => {
    request.headers['X-Requested-By'] ||= 'API Browser';
    return request;
  },
});
