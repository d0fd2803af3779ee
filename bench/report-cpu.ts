// Loaded before a server under measurement: tells its parent how much processor time it has used, on request.
process.on('message', (message) => {
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6 });
});
process.channel?.unref();
