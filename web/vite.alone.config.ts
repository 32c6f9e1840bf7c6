import { defineConfig } from "vite";

// The page of one game in a file of its own: one module, whatever screens share in the other build.
export default defineConfig({
  build: {
    outDir: "../src/sizeup/web/static/assets",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "es2022",
    lib: { entry: "src/alone.ts", formats: ["es"], fileName: () => "alone.js" },
  },
});
