import path from 'node:path';
import { errorMessage } from '#core/index.ts';
import { jsonEncoding, jsonLines } from '../json-encoding.ts';
import { defineOutputType } from '../output.ts';
import { fileFields } from './config.ts';
import { RotatingFile } from './rotating-file.ts';

const PERIODS = { hour: 3_600_000, day: 86_400_000, never: undefined };

export const fileOutput = defineOutputType({
  id: 'file',
  wireType: 'file',
  name: 'File',
  description:
    'Writes messages to files on the node, one JSON object on each line. Each worker has files of its own.',
  fields: fileFields,
  encoding: ({ include_server_fields: serverFields }) => jsonEncoding(serverFields),
  limits: () => ({ bytes: 1024 ** 2 }),
  create({ clock, filesDirectory, logger, outputId, partition }, config) {
    const file = new RotatingFile(
      {
        clock,
        housekeepingFailed: (error) =>
          logger.warn({ err: error }, `cannot compress or delete files of an output: ${errorMessage(error)}`),
      },
      {
        // Two outputs in a file would destroy each other's lines, and people may give them the same folder.
        directory: path.join(filesDirectory, config.folder, outputId),
        name: `worker-${partition}`,
        maxBytes: config.rotate_size,
        periodMs: PERIODS[config.rotate_time],
        gzip: config.compression === 'gzip',
        keepFiles: config.keep_files,
      },
    );
    return {
      connect: () => file.open(),
      send: (messages) => file.append(jsonLines(messages)),
      async close(signal) {
        await file.close(signal);
        return true;
      },
    };
  },
});
