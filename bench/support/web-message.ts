/** One GELF message of the kind a web server sends: 367 bytes, 7 additional fields. */
export function webMessage(): Buffer {
  const message = {
    version: '1.1',
    host: 'web-7.example.org',
    short_message: 'GET /api/v1/orders/83921?expand=items 200 in 37 ms',
    timestamp: 1767225600.123,
    level: 6,
    _method: 'GET',
    _path: '/api/v1/orders/83921',
    _status: 200,
    _duration_ms: 37,
    _client_ip: '203.0.113.77',
    _user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Fx/128.0',
    _request_id: '3f2b8c1e-9d47-4c55-8a0e-1b6f9d2c7e10',
  };
  return Buffer.from(JSON.stringify(message));
}
