import { type Codec, DecodeFailure, type Decoder, type DecoderContext } from '#codecs/index.ts';
import { InvalidConfiguration, type RawConfiguration } from '#core/index.ts';
import type { Counter, Metrics } from '#telemetry/index.ts';

interface ConfiguredDecoder {
  /** The codec's part of the configuration, to see whether it has changed. */
  readonly settings: string;
  readonly decoder: Decoder | DecodeFailure;
  /** The note counters when they were last copied to the metrics. */
  readonly copiedNotes: number[];
}

/** The decoders of one codec: one for each input, or a single one when the codec has no fields. */
export class CodecDecoders {
  readonly #codec: Codec;
  readonly #context: DecoderContext;
  readonly #noteMetrics: readonly Counter[];
  readonly #only: ConfiguredDecoder | undefined;
  readonly #byInput = new Map<string, ConfiguredDecoder>();
  #configurations: ReadonlyMap<string, RawConfiguration> = new Map();

  constructor(codec: Codec, context: DecoderContext, metrics: Metrics) {
    this.#codec = codec;
    this.#context = context;
    this.#noteMetrics = codec.notes.map((note) =>
      metrics.counter(`millrace.codec.${codec.id}.notes.${note}`, {
        help: `Corrections the ${codec.name} decoder made to messages`,
      }),
    );
    this.#only = Object.keys(codec.fields).length === 0 ? this.#create({}) : undefined;
  }

  /** `configurations` has every input by its id. Decoders whose settings have not changed stay. */
  useConfigurations(configurations: ReadonlyMap<string, RawConfiguration>): void {
    this.copyNotes();
    this.#configurations = configurations;
    for (const [inputId, { settings }] of this.#byInput) {
      if (this.#settingsOf(this.#configurationOf(inputId)) !== settings) this.#byInput.delete(inputId);
    }
  }

  /** An input that was deleted gets the codec's defaults. A failure when the codec cannot do without settings. */
  decoderFor(inputId: string): Decoder | DecodeFailure {
    return (this.#only ?? this.#byInput.get(inputId) ?? this.#createFor(inputId)).decoder;
  }

  copyNotes(): void {
    if (this.#only !== undefined) this.#copyNotesOf(this.#only);
    for (const configured of this.#byInput.values()) this.#copyNotesOf(configured);
  }

  #createFor(inputId: string): ConfiguredDecoder {
    const created = this.#create(this.#configurationOf(inputId));
    this.#byInput.set(inputId, created);
    return created;
  }

  #create(configuration: RawConfiguration): ConfiguredDecoder {
    const created = this.#codec.create(this.#context, configuration);
    return {
      settings: this.#settingsOf(configuration),
      decoder: created instanceof InvalidConfiguration ? notConfigured(this.#codec, created) : created,
      copiedNotes: this.#codec.notes.map(() => 0),
    };
  }

  #configurationOf(inputId: string): RawConfiguration {
    return this.#configurations.get(inputId) ?? {};
  }

  #settingsOf(configuration: RawConfiguration): string {
    return JSON.stringify(Object.keys(this.#codec.fields).map((name) => configuration[name]));
  }

  #copyNotesOf({ decoder, copiedNotes }: ConfiguredDecoder): void {
    if (decoder instanceof DecodeFailure) return;
    const { notes } = this.#codec;
    for (let index = 0; index < notes.length; index++) {
      const count = decoder.noteCounters[notes[index] ?? ''] ?? 0;
      const copied = copiedNotes[index] ?? 0;
      if (count === copied) continue;
      this.#noteMetrics[index]?.increment(count - copied);
      copiedNotes[index] = count;
    }
  }
}

function notConfigured({ name }: Codec, { text }: InvalidConfiguration): DecodeFailure {
  return new DecodeFailure(
    'codec_configuration',
    `the ${name} codec needs the configuration of its input, which was deleted or is not valid: ${text}`,
  );
}
