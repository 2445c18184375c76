/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The little of Vulkan that the benches need: a device, buffers and images with their memory, and commands that
 * are waited for. Whichever driver the loader finds first (VK_DRIVER_FILES picks it). What fails after the
 * device is there ends the process with the call's name.
 */
#ifndef IRI_BENCH_VULKAN_H
#define IRI_BENCH_VULKAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

typedef struct vk_gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    VkFence fence;
} vk_gpu;

typedef struct vk_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
    size_t size;
} vk_buffer;

typedef struct vk_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
} vk_image;

/* Ends the process when `call` did not succeed. */
void vk_must(VkResult result, const char *call);
#define VK_MUST(call) vk_must(call, #call)

/* False and `why` where there is no driver. */
bool vk_open(vk_gpu *gpu, const char **why);
void vk_close(vk_gpu *gpu);

/* Mapped; `data`, of `size` bytes, is copied in unless NULL. */
vk_buffer vk_make_buffer(const vk_gpu *gpu, VkBufferUsageFlags usage, const void *data,
                         size_t size);
void vk_free_buffer(const vk_gpu *gpu, vk_buffer *buffer);

/* Two-dimensional, one layer, one sample. */
vk_image vk_make_image(const vk_gpu *gpu, VkFormat format, uint32_t width, uint32_t height,
                       uint32_t levels, VkImageUsageFlags usage);
void vk_free_image(const vk_gpu *gpu, vk_image *image);
void vk_transition(VkCommandBuffer commands, VkImage image, uint32_t levels, VkImageLayout from,
                   VkImageLayout to);

VkShaderModule vk_make_module(const vk_gpu *gpu, const void *words, size_t size);

/* Begins a command buffer; submits it and waits for its end. */
VkCommandBuffer vk_begin(const vk_gpu *gpu);
void vk_end(VkCommandBuffer commands);
void vk_submit(const vk_gpu *gpu, VkCommandBuffer commands);

#endif
