import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { load, loadFile, machine, problems } from '#testing/config.ts';
import { requestedAction } from './entries.ts';
import { loadConfig } from './load.ts';

describe('defaults', () => {
  test('nothing is required', () => {
    const { config, sources } = load();
    expect(config).toMatchObject({
      config_file: undefined,
      data_dir: '/home/miller/data',
      http_bind_address: { host: '127.0.0.1', port: 9000 },
      http_publish_uri: 'http://127.0.0.1:9000/',
      root_username: 'admin',
      root_password_sha2: undefined,
      password_secret: undefined,
      clickhouse_uri: undefined,
      clickhouse_database: 'millrace',
      clickhouse_replicated: false,
      clickhouse_insert_quorum: 0,
      clickhouse_cold_volume: 'cold',
      message_journal_max_size: 5 * 2 ** 30,
      message_journal_max_age: 43_200_000,
      message_journal_flush_age: 5,
      message_journal_full_policy: 'block',
      lb_throttle_threshold_percentage: 90,
      stream_processing_timeout: 2000,
      stream_processing_max_faults: 3,
      default_inputs: true,
      default_inputs_bind_address: '127.0.0.1',
      alert_check_interval: 60_000,
      transport_email_enabled: false,
    });
    expect(new Set(Object.values(sources))).toEqual(new Set(['default']));
  });

  test('some are derived from other settings and from the machine', () => {
    const { config } = load({ argv: ['--data_dir', '/d', '--http_bind_address', '0.0.0.0:9001'] });
    expect(config).toMatchObject({
      node_id_file: '/d/node_id',
      plugin_dir: '/d/plugins',
      message_journal_dir: '/d/journal',
      http_publish_uri: 'http://node-1:9001/',
      http_external_uri: 'http://node-1:9001/',
      transport_email_web_interface_url: 'http://node-1:9001/',
      transport_email_from_email: 'millrace@node-1',
      transport_email_use_tls: true,
      processing_workers: 4,
      clickhouse_max_memory: Math.floor(0.4 * 8192) * 2 ** 20,
    });
    expect(config.metadata_uri.reveal()).toBe('sqlite:/d/metadata.sqlite');
  });

  test('the number of faults may be 0: the first one disables a stream', () => {
    const { config } = load({ argv: ['--stream_processing_max_faults', '0'] });
    expect(config.stream_processing_max_faults).toBe(0);
  });

  test.each([
    ['[::]:9000', 'http://node-1:9000/'],
    ['[::1]:9000', 'http://[::1]:9000/'],
    ['localhost:80', 'http://localhost/'],
  ])('%s is published as %s', (bind, uri) => {
    expect(load({ argv: ['--http_bind_address', bind] }).config.http_publish_uri).toBe(uri);
  });

  test('with TLS the published address is https; an odd machine name does no harm', () => {
    const argv = [
      '--http_enable_tls',
      '--http_tls_cert_file=c',
      '--http_tls_key_file=k',
      '--http_bind_address=0.0.0.0:9000',
    ];
    expect(load({ argv }).config.http_publish_uri).toBe('https://node-1:9000/');
    const odd = load({ argv, machine: { ...machine, hostname: 'a b/c' } });
    expect(odd.config.http_publish_uri).toBe('https://localhost:9000/');
  });

  test.each([
    [1, 2 ** 28, 1, 512 * 2 ** 20],
    [2, 2 ** 31, 1, 819 * 2 ** 20],
    [64, 2 ** 40, 16, Math.floor(0.4 * 2 ** 20) * 2 ** 20],
  ])('%d cores and %d bytes', (cores, memoryBytes, workers, clickhouseMemory) => {
    const { config } = load({ machine: { ...machine, cores, memoryBytes } });
    expect(config.processing_workers).toBe(workers);
    expect(config.clickhouse_max_memory).toBe(clickhouseMemory);
  });

  test('SMTPS switches STARTTLS off', () => {
    expect(load({ argv: ['--transport_email_use_ssl'] }).config.transport_email_use_tls).toBe(false);
  });
});

describe('sources', () => {
  test('flags win over the environment, which wins over the file', () => {
    const { config, sources } = load({
      files: { '/home/miller/millrace.conf': 'data_dir = /file\nlog_level = warn\nroot_username = filed' },
      env: { MILLRACE_DATA_DIR: '/environment', MILLRACE_LOG_LEVEL: 'error', OTHER: 'x' },
      argv: ['--data_dir=/flag'],
    });
    expect(config).toMatchObject({ data_dir: '/flag', log_level: 'error', root_username: 'filed' });
    expect(sources).toMatchObject({
      data_dir: 'command line',
      log_level: 'environment',
      root_username: 'millrace.conf:3',
      root_email: 'default',
    });
    expect(config.config_file).toBe('/home/miller/millrace.conf');
  });

  test('the file: comments, blanks, byte order mark, line ends, quotes, equal signs', () => {
    const { config } = loadFile(
      [
        '\uFEFF# comment',
        '  ! comment = too',
        '',
        '\tdata_dir=  /var/lib/with blank  ',
        'root_username = "quoted"',
        'transport_email_auth_password = " a=b#c "',
        'transport_email_auth_username = "',
        'root_email =',
      ].join('\r\n'),
    );
    expect(config).toMatchObject({
      data_dir: '/var/lib/with blank',
      root_username: 'quoted',
      transport_email_auth_username: '"',
      root_email: undefined,
    });
    expect(config.transport_email_auth_password?.reveal()).toBe(' a=b#c ');
  });

  test.each([
    [['--config', 'other.conf'], {}],
    [['--config=/home/miller/other.conf'], {}],
    [['--config_file', 'other.conf'], {}],
    [[], { MILLRACE_CONFIG_FILE: 'other.conf' }],
    [['--config', 'other.conf'], { MILLRACE_CONFIG_FILE: 'not this.conf' }],
  ])('another file by %j and %j', (argv, env) => {
    const files = {
      '/home/miller/millrace.conf': 'data_dir = /a',
      '/home/miller/other.conf': 'data_dir = /b',
    };
    const { config } = load({ argv, env, files });
    expect(config).toMatchObject({ data_dir: '/b', config_file: '/home/miller/other.conf' });
  });

  test('flags: dashes, booleans, the last one wins, values that start with a dash', () => {
    const { config } = load({
      argv: [
        '--data-dir',
        '/x',
        '--http_enable_gzip',
        'false',
        '--default_inputs=off',
        '--root_username',
        'a',
        '--root_username',
        'b',
        '--transport_email_auth_username',
        '-x',
        '--transport_email_auth_password=--y',
        '--http_enable_gzip',
      ],
    });
    expect(config).toMatchObject({
      data_dir: '/x',
      http_enable_gzip: true,
      default_inputs: false,
      root_username: 'b',
      transport_email_auth_username: '-x',
    });
    expect(config.transport_email_auth_password?.reveal()).toBe('--y');
  });

  test('an empty flag means the default, an empty variable means nothing', () => {
    const files = { '/home/miller/millrace.conf': 'root_username = filed\nlog_level = warn' };
    const { config } = load({
      files,
      env: { MILLRACE_ROOT_USERNAME: '', MILLRACE_LOG_LEVEL: ' ' },
      argv: ['--log_level='],
    });
    expect(config).toMatchObject({ root_username: 'filed', log_level: 'info' });
  });

  test('help and version are found anywhere and are not settings', () => {
    expect(requestedAction([])).toBe('start');
    expect(requestedAction(['--data_dir', 'x', '--help'])).toBe('help');
    expect(requestedAction(['-v'])).toBe('version');
    expect(requestedAction(['drain', '--data_dir', 'x'])).toBe('drain');
    expect(requestedAction(['--data_dir', 'drain'])).toBe('start');
    expect(load({ argv: ['drain', '--data_dir', '/d'] }).config.data_dir).toBe('/d');
    expect(problems(() => load({ argv: ['--default_inputs', 'drain'] }))).not.toEqual([]);
    expect(problems(() => load({ argv: ['--help', '-v', '--default_inputs', '-h'] }))).toEqual([]);
  });
});

describe('problems', () => {
  test('all of them at once, each with place, key, value and what is expected', () => {
    const run = () =>
      load({
        files: {
          '/home/miller/millrace.conf': [
            'data_dri = /x',
            'http_bind_address = nowhere # here',
            'log_level = loud',
            'log_level = info',
            'just words',
            '= value',
            'config_file = x',
            'mongodb_uri = mongodb://localhost',
            'DATA_DIR = /y',
            'http_enable_tls = yes',
          ].join('\n'),
        },
        env: {
          MILLRACE_DATADIR: '/x',
          MILLRACE_SESSION_TIMEOUT: 'long',
          Millrace_x: 'fine',
          MILLRACE_data_dir: '',
        },
        argv: ['--confg', 'x', '--processing-workers', '0', 'start', '--root_email'],
      });
    expect(problems(run)).toMatchInlineSnapshot(`
      [
        "command line: unknown key "--confg"; did you mean --config?",
        "command line: unexpected argument "start"; settings are given as --key value",
        "command line: --root_email needs a value: --root_email value or --root_email=value",
        "command line: --processing-workers = "0": expected a whole number from 1 to 256",
        "environment: unknown key "MILLRACE_DATADIR"; did you mean MILLRACE_DATA_DIR?",
        "environment: MILLRACE_SESSION_TIMEOUT = "long": expected a time from 1m to 365d in ms, s, m, h or d; without a unit milliseconds",
        "millrace.conf:1: unknown key "data_dri"; did you mean data_dir?",
        "millrace.conf:2: http_bind_address = "nowhere # here": expected host:port, such as 127.0.0.1:9000 or [::1]:9000 (a comment needs a line of its own)",
        "millrace.conf:3: log_level = "loud": expected one of trace, debug, info, warn, error, fatal",
        "millrace.conf:4: log_level is already set in line 3",
        "millrace.conf:5: expected a line of the form key = value, or a comment after #",
        "millrace.conf:6: expected a line of the form key = value, or a comment after #",
        "millrace.conf:7: config_file can only be set by flag or environment",
        "millrace.conf:8: "mongodb_uri" is a key of Graylog: use metadata_uri (SQLite or PostgreSQL)",
        "millrace.conf:9: unknown key "DATA_DIR"; did you mean data_dir?",
        "millrace.conf:10: http_enable_tls needs http_tls_cert_file to be set",
        "millrace.conf:10: http_enable_tls needs http_tls_key_file to be set",
      ]
    `);
    expect(run).toThrow('the configuration has 17 problems:');
  });

  test.each([
    ['http_enable_tls = true\nhttp_tls_cert_file = c', 'http_enable_tls needs http_tls_key_file to be set'],
    ['http_enable_tls = true\nhttp_tls_key_file = k', 'http_enable_tls needs http_tls_cert_file to be set'],
    ['http_enable_cors = true', 'http_enable_cors needs http_allowed_origins to be set'],
    ['clickhouse_replicated = true', 'clickhouse_replicated needs clickhouse_uri to be set'],
    [
      'clickhouse_uri = http://u:p@a:8123, http://u:p@a:8123',
      'clickhouse_uri names the same server twice; name every shard and replica once',
    ],
    [
      'clickhouse_uri = http://u:p@a:8123, http://u:q@b:8123',
      'clickhouse_uri must give all servers the same user, password and protocol: they read from each other with these',
    ],
    ['clickhouse_uri = http://a:8123|http://b:8123', 'clickhouse_uri needs clickhouse_replicated = true'],
    [
      'clickhouse_cluster = c\nclickhouse_uri = http://a:8123',
      'clickhouse_cluster needs clickhouse_replicated = true',
    ],
    ['clickhouse_storage_policy = tiered', 'clickhouse_storage_policy needs clickhouse_uri to be set'],
    [
      'clickhouse_cold_dir = /cold\nclickhouse_uri = http://a:8123',
      'clickhouse_cold_dir is for the embedded ClickHouse; for your own servers, set clickhouse_storage_policy',
    ],
    ['clickhouse_insert_quorum = 2', 'clickhouse_insert_quorum needs clickhouse_replicated = true'],
    [
      'clickhouse_uri = http://a:8123|http://b:8123, http://b:8123\nclickhouse_replicated = true',
      'clickhouse_uri names the same server twice; name every shard and replica once',
    ],
    ['transport_email_enabled = true', 'transport_email_enabled needs transport_email_hostname to be set'],
    [
      'transport_email_use_auth = true\ntransport_email_auth_password = x',
      'transport_email_use_auth needs transport_email_auth_username to be set',
    ],
    [
      'transport_email_use_auth = true\ntransport_email_auth_username = x',
      'transport_email_use_auth needs transport_email_auth_password to be set',
    ],
    [
      'transport_email_use_ssl = true\ntransport_email_use_tls = true',
      'transport_email_use_ssl cannot be combined with transport_email_use_tls; set one of them to false',
    ],
    [
      'http_publish_uri = http://0.0.0.0:9000/',
      'http_publish_uri must name a host that others can reach, not all interfaces',
    ],
    [
      'http_publish_uri = http://[::]:9000/',
      'http_publish_uri must name a host that others can reach, not all interfaces',
    ],
    [
      'http_external_uri = https://example.org/logs',
      'http_external_uri must not have a path: the web interface works only at the root of a host name',
    ],
    [
      'message_journal_segment_size = 10mb\nmessage_journal_max_size = 5mb',
      'message_journal_segment_size must not be larger than message_journal_max_size',
    ],
    [
      'default_input_http_port = 12201',
      'default_input_http_port must not be the port of default_input_tcp_port: both are TCP',
    ],
    ['default_input_tcp_port = 9000', 'default_input_tcp_port must not be the port of http_bind_address'],
  ])('settings that do not go together: %j', (content, expected) => {
    expect(problems(() => loadFile(content))).toEqual([`millrace.conf:1: ${expected}`]);
  });

  test.each([
    'default_input_tcp_port = 0\ndefault_input_http_port = 0\nhttp_bind_address = 127.0.0.1:0',
    'default_input_http_port = 12201\ndefault_inputs = false',
    'default_input_tcp_port = 9000\ndefault_inputs_bind_address = 127.0.0.2',
    'clickhouse_cluster = c\nclickhouse_replicated = true\nclickhouse_uri = http://a:8123',
    'clickhouse_replicated = true\nclickhouse_uri = http://a:8123|http://b:8123, http://c:8123\nclickhouse_insert_quorum = 2',
  ])('settings that do: %j', (content) => {
    expect(problems(() => loadFile(content))).toEqual([]);
  });

  test('a relation is not checked when one of its keys is invalid', () => {
    expect(
      problems(() => loadFile('http_enable_tls = true\nhttp_tls_cert_file = c\nhttp_tls_key_file = \u0007')),
    ).toEqual([
      'millrace.conf:3: http_tls_key_file = "\\u0007": expected a value without control characters',
    ]);
  });

  test('an unknown key is answered with a similar one, or with its replacement', () => {
    const answer = (key: string) =>
      problems(() => loadFile(`${key} = 1`))[0]?.replace(/^millrace.conf:1: /, '');
    expect(answer('http-bind-address')).toBe(
      'unknown key "http-bind-address"; did you mean http_bind_address?',
    );
    expect(answer('message_journal_maxsize')).toContain('did you mean message_journal_max_size?');
    expect(answer('elasticsearch_hosts')).toContain('is a key of Graylog: use clickhouse_uri');
    expect(answer('zzzzzz')).toBe('unknown key "zzzzzz"');
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(answer(name)).toBe(`unknown key "${name}"`);
    }
    expect(answer('k'.repeat(5000))?.length).toBeLessThan(200);
  });

  test('text of the user can neither break a line of the report nor change its direction', () => {
    const [problem] = problems(() => loadFile('log_level = a\u2028b\u202ec'));
    expect(problem).toContain('log_level = "a\\u2028b\\u202ec": expected');
  });

  test('of hundreds of problems the first fifty are shown', () => {
    const lines = problems(() => loadFile('nonsense\n'.repeat(300)));
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe('and 250 more');
  });
});

describe('files on disk', () => {
  function inTemporaryDirectory<T>(run: (directory: string) => T): T {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-config-'));
    try {
      return run(directory);
    } finally {
      fs.rmSync(directory, { recursive: true });
    }
  }
  const loadIn = (cwd: string, argv: string[] = []) => loadConfig({ argv, env: {}, cwd, machine });

  test('millrace.conf in the working directory is read if it is there', () => {
    inTemporaryDirectory((directory) => {
      expect(loadIn(directory).config.config_file).toBeUndefined();
      fs.writeFileSync(path.join(directory, 'millrace.conf'), '\uFEFFroot_username = bøss\r\n');
      expect(loadIn(directory).config.root_username).toBe('bøss');
    });
  });

  test('a file that is named must exist', () => {
    inTemporaryDirectory((directory) => {
      expect(problems(() => loadIn(directory, ['--config', 'missing.conf']))).toEqual([
        'command line, --config: the file "missing.conf" does not exist',
      ]);
    });
  });

  test.each([
    ['a directory', (file: string) => fs.mkdirSync(file), 'EISDIR'],
    [
      'not UTF-8',
      (file: string) => fs.writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00, 0x61])),
      'not UTF-8 text',
    ],
    ['huge', (file: string) => fs.writeFileSync(file, '#'.repeat(2 ** 20 + 1)), 'larger than 1 MiB'],
  ])('a file that is %s is refused', (_what, create, reason) => {
    inTemporaryDirectory((directory) => {
      create(path.join(directory, 'millrace.conf'));
      const [problem] = problems(() => loadIn(directory));
      expect(problem).toContain('millrace.conf: the file "millrace.conf" cannot be read');
      expect(problem).toContain(reason);
    });
  });

  test('the machine is this one unless another is given', () => {
    inTemporaryDirectory((cwd) => {
      const { config } = loadConfig({ argv: [], env: {}, cwd });
      expect(config.processing_workers).toBeGreaterThanOrEqual(1);
      expect(config.clickhouse_max_memory).toBeGreaterThanOrEqual(512 * 2 ** 20);
    });
  });
});
