/** Pipelines tried on messages, in a thread of their own. Nothing is stored. */
export { AnswerRoom } from './answer-room.ts';
export type { FieldChange, SimulatedMessage } from './simulated-message.ts';
export { changesOf, fieldsOf, messageOf } from './simulated-message.ts';
export type { SimulatedOutcome, Simulation, SimulationAnswer, SimulationSettings } from './simulation.ts';
export { createSimulation } from './simulation.ts';
export type { MessageTrace, RuleTrace } from './trace.ts';
