/** The thread of simulations: see `simulation-threads.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '#core/index.ts';
import { createWorkerLookups, type LookupSnapshot } from '#lookup/index.ts';
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

/** Why it cannot run, if it is a text. */
let simulation: Simulation | string = 'it is not open';
port.on('message', (message: ToSimulation) => {
  if (message.kind === 'open') simulation = opened(message.settings, message.lookup);
  else if (typeof simulation === 'string') post({ error: simulation });
  else post(answerOf(simulation, message.messages));
});

function opened(settings: SimulationSettings, lookup: LookupSnapshot | undefined): Simulation | string {
  try {
    const lookups = createWorkerLookups();
    if (lookup !== undefined) lookups.useSnapshot(lookup);
    return createSimulation(settings, lookups);
  } catch (error) {
    return errorMessage(error);
  }
}

function answerOf(open: Simulation, messages: readonly SimulatedMessage[]): FromSimulation {
  try {
    return { answer: open.run(messages) };
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
