import { defineConfig } from "vite";

// Plain file names: the build is committed, and a hash in a name would rewrite index.html each time.
export default defineConfig({
  build: {
    outDir: "../src/sizeup/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      preserveEntrySignatures: "allow-extension", // what several screens need is in the first file
      output: {
        entryFileNames: "assets/app.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/app[extname]",
        codeSplitting: { groups: [{ name: "app", tags: ["$initial"] }] },
      },
    },
  },
});
