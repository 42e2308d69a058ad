/** The thread of simulations: see `simulation-threads.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage, systemClock } from '#core/index.ts';
import {
  createSimulatedLookups,
  createWorkerLookups,
  type LookupSnapshot,
  type WorkerLookups,
} from '#lookup/index.ts';
import type { PluginAssignment } from '#plugins/index.ts';
import {
  createSimulation,
  type SimulatedMessage,
  type Simulation,
  type SimulationSettings,
} from '#processing/simulation/index.ts';
import type { FromSimulation, ToSimulation } from './simulation-threads.ts';

const port = parentPort;
if (port === null) throw new Error('workers/simulation-entry.ts must be started as a thread');
const post = (answer: FromSimulation) => port.postMessage(answer);

const assigned = workerData as PluginAssignment | undefined;
if (assigned !== undefined && assigned.plugins.length > 0) await loadPlugins(assigned);

/** Rules may look up what an answer says: so often the messages are run again with the new answers. */
const MAX_ROUNDS = 5;

interface Open {
  run(messages: readonly SimulatedMessage[]): FromSimulation;
  readonly lookups: Pick<WorkerLookups, 'receive' | 'isWaiting'>;
}

/** Messages whose rules wait for answers of remote lookup tables. */
interface Waiting {
  readonly messages: readonly SimulatedMessage[];
  readonly round: number;
}

/** Why it cannot run, if it is a text. */
let open: Open | string = 'it is not open';
let waiting: Waiting | undefined;

port.on('message', (message: ToSimulation) => {
  if (message.kind === 'open') {
    open = opened(message.settings, message.lookup);
    waiting = undefined;
  } else if (typeof open === 'string') post({ error: open });
  else if (message.kind === 'run') run(open, { messages: message.messages, round: 1 });
  else {
    open.lookups.receive(message.answers);
    if (waiting !== undefined && !open.lookups.isWaiting) run(open, waiting);
  }
});

function run(simulation: Open, { messages, round }: Waiting): void {
  waiting = undefined;
  const answer = simulation.run(messages);
  if (simulation.lookups.isWaiting && round < MAX_ROUNDS) waiting = { messages, round: round + 1 };
  else post(answer);
}

function opened(settings: SimulationSettings, snapshot: LookupSnapshot | undefined): Open | string {
  try {
    const lookups = createWorkerLookups({ clock: systemClock, send: (lookup) => post({ lookup }) });
    if (snapshot !== undefined) lookups.useSnapshot(snapshot);
    const simulated = createSimulatedLookups(lookups, { asksServers: settings.asksServers ?? true });
    const simulation = createSimulation(settings, simulated);
    return {
      lookups,
      run(messages) {
        simulated.begin();
        return answerOf(simulation, messages);
      },
    };
  } catch (error) {
    return errorMessage(error);
  }
}

function answerOf(simulation: Simulation, messages: readonly SimulatedMessage[]): FromSimulation {
  try {
    return { answer: simulation.run(messages) };
  } catch (error) {
    return { error: errorMessage(error) };
  }
}

/** Without plugins the thread starts much faster. */
async function loadPlugins(assignment: PluginAssignment): Promise<void> {
  const { loadThreadPlugins } = await import('#plugins/index.ts');
  await loadThreadPlugins(() => {}, withOwnFaults(assignment), undefined);
}

/** What functions of plugins do wrong here counts for nothing. */
function withOwnFaults(assignment: PluginAssignment): PluginAssignment {
  const { faults } = assignment.memory;
  const own = new SharedArrayBuffer(faults.byteLength, { maxByteLength: faults.maxByteLength });
  new Uint8Array(own).set(new Uint8Array(faults));
  return { ...assignment, memory: { ...assignment.memory, faults: own } };
}
