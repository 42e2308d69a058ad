import { countOf, formatShare } from '../../lib/format/index.ts';
import { formatDuration } from '../../lib/time/index.ts';

/** How long messages can wait, as the second sentence of a question. */
function roomIn(room: number | undefined): string {
  return room === undefined
    ? 'Nothing arrives at the moment, so there is room for long.'
    : `At the rate of now there is room for about ${formatDuration(room)}; then the node refuses messages.`;
}

export const texts = {
  title: 'Overview',
  about: 'Whether messages arrive and are stored, what needs attention, and what each node does.',
  apiBrowser: 'API browser',
  figures: 'Now',
  received: 'Received',
  stored: 'Stored',
  allNodes: 'over all nodes',
  traffic: 'Bytes received in each hour of the last day',
  waiting: 'Waiting to be stored',
  waitingFor: (drain: number | undefined) => {
    if (drain === undefined) return 'nothing is stored';
    return drain === 0 ? 'nothing' : `~${formatDuration(drain)}`;
  },
  waitingAbout: (count: number, share: number) =>
    `${count === 0 ? '' : `${countOf(count, 'message')}; `}fullest journal ${formatShare(share)}`,
  openAlerts: 'Open alerts',
  alertsAbout: 'of streams that you may read',
  messages: 'Messages kept',
  size: (bytes: string, indices: number) => `${bytes} in ${countOf(indices, 'index', 'indices')}`,
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  nothingKnown: 'Notifications are shown to those who have notifications:read.',
  storageUnknown: 'Whether the message storage works is shown to those who have indexercluster:read.',
  storageDown: 'The message storage does not answer',
  storageDownWhy:
    'Messages are received and wait in the journals of the nodes. Searches fail until it answers again.',
  storagePartlyDown: 'One of the message storage servers does not answer',
  storagePartlyDownWhy:
    'New messages go to the others. Until it answers again, the search page shows only what the others have. Other searches, exports and alerts wait or are refused.',
  nodesDown: (count: number) =>
    count === 1 ? 'A node does not answer' : `${countOf(count, 'node')} do not answer`,
  nodes: 'Nodes',
  noNode: 'There is no node that you may read',
  noNodeWhy: 'Needs system:read. Ask an administrator.',
  noAnswer: 'does not answer',
  lastSeen: 'last seen',
  leader: 'leader',
  leaderAbout: 'It rotates and deletes indices and evaluates alert conditions for the cluster.',
  columns: {
    node: 'Node',
    state: 'State',
    balancer: 'Load balancer',
    received: 'Received',
    journal: 'Journal',
    memory: 'Memory',
    up: 'Up for',
    actions: 'Actions',
  },
  thisNode: 'this node',
};

export const actionTexts = {
  pause: 'Pause',
  resume: 'Resume',
  balancer: 'Load balancer',
  more: (node: string) => `More for ${node}`,
  report: 'Report',
  reportAbout:
    'A file with stacks, threads and memory of the process. It names files and addresses of the machine.',
  shutDown: 'Shut down',
  byItself: 'Decide by itself',
  byItselfAbout: 'alive while it runs, throttled while its journal is nearly full',
  drain: 'Drain: say dead',
  throttle: 'Say throttled',
  alive: 'Say alive',
  pauseQuestion: (node: string, room: number | undefined) =>
    `Pause processing on ${node}? Messages are still received, and wait in its journal until you resume. They cannot be found before that. ${roomIn(room)}`,
  drainQuestion: (node: string) =>
    `Tell load balancers that ${node} is dead? They send nothing new to it. Senders that do not ask a load balancer go on sending, and what it has received is stored as before. Wait until its journal is empty before you shut it down.`,
  throttleQuestion: (node: string) =>
    `Tell load balancers that ${node} is throttled? Those that know this state send it less or nothing. Messages that arrive are received and stored as before.`,
  aliveQuestion: (node: string) =>
    `Tell load balancers that ${node} is alive, even while its journal is nearly full? Messages that do not fit are refused.`,
  shutDownQuestion: (node: string, waiting: number, isOnlyNode: boolean) =>
    `Shut ${node} down? Its inputs stop: what senders send to it over UDP is lost, others have to wait or try another node. ${
      waiting > 0
        ? `${countOf(waiting, 'message')} in its journal ${waiting === 1 ? 'stays' : 'stay'} on its disk and ${waiting === 1 ? 'is' : 'are'} stored when it runs again. `
        : ''
    }${isOnlyNode ? 'It is the only node, so this page stops working too. ' : ''}It cannot be started from here.`,
  isStopping: 'The node is stopping.',
};

export const nodeTexts = {
  notFound: 'There is no such node',
  notFoundWhy: 'It was shut down, does not belong to this cluster, or you may not read it.',
  toOverview: 'Overview',
  noAnswer: 'The node does not answer',
  noAnswerWhy: 'It belongs to the cluster, but did not answer in time. What it does is not known.',
  state: 'State',
  levels: 'Log levels',
  log: 'Log',
  threads: 'Thread dump',
  throughput: 'Throughput',
  journal: 'Journal',
  memory: 'Memory',
  about: 'About',
  received: 'Received',
  stored: 'Stored',
  waiting: 'Waiting to be stored',
  fill: 'Full to',
  onDisk: 'On disk',
  ofLimit: (size: string, limit: string) => `${size} of at most ${limit}`,
  segments: 'Files',
  oldest: 'Oldest file',
  folder: 'Folder',
  room: 'Room',
  roomFor: (room: string) => `about ${room} at the rate of now`,
  heap: 'JavaScript heap',
  heapOf: (used: string, max: string) => `${used} of at most ${max}`,
  whole: 'Whole process',
  runtime: 'Runtime',
  process: 'Process',
  host: 'Host',
  id: 'Id',
  version: 'Version',
  started: 'Started',
  system: 'Operating system',
  zone: 'Time zone',
  address: 'Address of the API',
  journalOff: 'The journal is off: messages that are not stored yet are lost when the node stops.',
  levelsAbout: 'How much this node writes to its own log. A change lasts until the node restarts.',
  part: 'Part',
  level: 'Level',
  levelOf: (part: string) => `Level of ${part}`,
  levelSet: (part: string, level: string) => `${part} logs ${level}`,
  logAbout: 'The newest lines that the node keeps in memory, newest first.',
  atLeast: 'At least',
  noLines: 'No line of this level is kept',
  time: 'Time',
  from: 'From',
  message: 'Message',
  reload: 'Reload',
  threadsAbout:
    'A diagnostic report of the process: its stacks, threads, handles and memory. It names files and addresses of the machine.',
  makeDump: 'Make a thread dump',
  dump: 'The thread dump',
  download: 'Download',
};
