import type { Clock, DroppedFields, JournalWriter } from '#core/index.ts';
import { createCertificateStore, createInputHost, type InputStateReport } from '#inputs/index.ts';
import { countedWriter } from '#journal/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { FromWorker, InputSnapshot, WorkerAssignment } from './protocol.ts';

/** The inputs that listen in one worker, and what the main thread is told about them. */
export interface WorkerInputs {
  apply(snapshot: InputSnapshot): void;
  stop(): Promise<void>;
}

export interface WorkerInputsDeps {
  readonly clock: Clock;
  readonly post: (message: FromWorker) => void;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Where the inputs append what they receive. */
  readonly journal: JournalWriter;
  readonly droppedFields: DroppedFields;
}

export function createWorkerInputs(deps: WorkerInputsDeps, assignment: WorkerAssignment): WorkerInputs {
  const { clock, metrics, logger } = deps;
  const states = new Map<string, InputStateReport>();
  let newestVersion = 0;
  let appliedVersion = 0;

  const host = createInputHost({
    journal: countedWriter(deps.journal, metrics),
    metrics,
    logger: logger.child({ component: 'inputs' }),
    clock,
    droppedFields: deps.droppedFields,
    shared: assignment.sharesPorts,
    udpReceiveBufferBytes: assignment.udpReceiveBufferBytes,
    selfSignedCertificate: createCertificateStore({ clock }, { directory: assignment.certificateDirectory }),
    report(state) {
      if (state.state === 'TERMINATED') states.delete(state.id);
      else states.set(state.id, state);
      postStates();
    },
  });

  function postStates(): void {
    deps.post({ kind: 'states', version: appliedVersion, states: [...states.values()] });
  }

  async function follow({ version, inputs }: InputSnapshot): Promise<void> {
    await host.apply(inputs);
    appliedVersion = Math.max(appliedVersion, version);
    postStates();
  }

  return {
    apply(snapshot) {
      if (snapshot.version <= newestVersion) return;
      newestVersion = snapshot.version;
      void follow(snapshot);
    },
    stop: () => host.stop(),
  };
}
