import fs from 'node:fs';
import path from 'node:path';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** The folder of `initdb` and `postgres` on this machine. Debian keeps it off the PATH, one for each version. */
export function installedPostgresPrograms() {
  const debian = fs.existsSync(DEBIAN_VERSIONS)
    ? fs
        .readdirSync(DEBIAN_VERSIONS)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => path.join(DEBIAN_VERSIONS, version, 'bin'))
    : [];
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return [...debian, ...onPath].find(hasPostgresPrograms);
}

export function hasPostgresPrograms(folder) {
  return ['initdb', 'postgres'].every((program) => fs.existsSync(path.join(folder, program)));
}
