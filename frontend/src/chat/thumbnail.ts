// Makes a small copy of an image file, as a data address. The file's own bytes are never shown: a policy of the page may forbid
// object addresses, and ten megabytes are too much to keep over a reload.

const MAX_SIDE_PIXELS = 320;

export async function thumbnail(file: Blob): Promise<string | null> {
  if (!/^image\/(jpeg|png|webp|gif|avif)$/.test(file.type) || typeof createImageBitmap !== "function") return null;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE_PIXELS / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    return canvas.toDataURL(file.type === "image/jpeg" ? "image/jpeg" : "image/webp", 0.8);
  } catch (error) {
    // Bytes that are no image, whatever the name says: the file is shown as a file.
    if (error instanceof DOMException) return null;
    throw error;
  }
}
