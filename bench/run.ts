/** Runs one benchmark case by name: `node bench/run.ts <case> [arguments]`. */
const [name, ...rest] = process.argv.slice(2);
const benchmark = (await import(`./cases/${name}.ts`)) as { run(args: string[]): Promise<void> };
await benchmark.run(rest);
