/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * vulkan.h's calls: Vulkan 1.1 in the plainest way, one queue, everything host visible, every submission waited for.
 */
#include "vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vk_must(VkResult result, const char *call)
{
    if (result == VK_SUCCESS)
        return;
    fprintf(stderr, "%.60s: VkResult %d\n", call, (int)result);
    exit(1);
}

static bool find_queue(vk_gpu *gpu)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
    for (gpu->family = 0; gpu->family < count; gpu->family++)
        if (families[gpu->family].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            return true;
    return false;
}

bool vk_open(vk_gpu *gpu, const char **why)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_1};
    VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                     .pApplicationInfo = &application};
    float priority = 1;
    uint32_t count = 1;
    memset(gpu, 0, sizeof *gpu);
    *why = "no Vulkan driver";
    if (vkCreateInstance(&instance, NULL, &gpu->instance) != VK_SUCCESS)
        return false;
    VkResult found = vkEnumeratePhysicalDevices(gpu->instance, &count, &gpu->physical);
    if ((found != VK_SUCCESS && found != VK_INCOMPLETE) || !count || !find_queue(gpu)) {
        vkDestroyInstance(gpu->instance, NULL);
        return false;
    }
    vkGetPhysicalDeviceProperties(gpu->physical, &gpu->properties);
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = gpu->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                 .queueCreateInfoCount = 1,
                                 .pQueueCreateInfos = &queue};
    VK_MUST(vkCreateDevice(gpu->physical, &device, NULL, &gpu->device));
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .queueFamilyIndex = gpu->family};
    VK_MUST(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VK_MUST(vkCreateFence(gpu->device, &fence, NULL, &gpu->fence));
    return true;
}

void vk_close(vk_gpu *gpu)
{
    vkDestroyFence(gpu->device, gpu->fence, NULL);
    vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
    vkDestroyDevice(gpu->device, NULL);
    vkDestroyInstance(gpu->instance, NULL);
}

/* The first type of memory that may be used and has the properties. */
static uint32_t memory_type(const vk_gpu *gpu, uint32_t usable, VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++)
        if (usable >> i & 1u && (gpu->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fprintf(stderr, "no memory with properties %u\n", (unsigned)wanted);
    exit(1);
}

static VkDeviceMemory allocate(const vk_gpu *gpu, const VkMemoryRequirements *needs,
                               VkMemoryPropertyFlags wanted)
{
    VkDeviceMemory memory;
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs->size,
                                 .memoryTypeIndex =
                                     memory_type(gpu, needs->memoryTypeBits, wanted)};
    VK_MUST(vkAllocateMemory(gpu->device, &info, NULL, &memory));
    return memory;
}

vk_buffer vk_make_buffer(const vk_gpu *gpu, VkBufferUsageFlags usage, const void *data, size_t size)
{
    vk_buffer b = {.size = size};
    VkMemoryRequirements needs;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    VK_MUST(vkCreateBuffer(gpu->device, &info, NULL, &b.buffer));
    vkGetBufferMemoryRequirements(gpu->device, b.buffer, &needs);
    b.memory = allocate(gpu, &needs,
                        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    VK_MUST(vkBindBufferMemory(gpu->device, b.buffer, b.memory, 0));
    VK_MUST(vkMapMemory(gpu->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped));
    if (data)
        memcpy(b.mapped, data, size);
    return b;
}

void vk_free_buffer(const vk_gpu *gpu, vk_buffer *buffer)
{
    vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
    vkFreeMemory(gpu->device, buffer->memory, NULL);
}

vk_image vk_make_image(const vk_gpu *gpu, VkFormat format, uint32_t width, uint32_t height,
                       uint32_t levels, VkImageUsageFlags usage)
{
    vk_image i = {0};
    VkMemoryRequirements needs;
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format,
                              .extent = {width, height, 1},
                              .mipLevels = levels,
                              .arrayLayers = 1,
                              .samples = VK_SAMPLE_COUNT_1_BIT,
                              .usage = usage};
    VK_MUST(vkCreateImage(gpu->device, &info, NULL, &i.image));
    vkGetImageMemoryRequirements(gpu->device, i.image, &needs);
    i.memory = allocate(gpu, &needs, 0);
    VK_MUST(vkBindImageMemory(gpu->device, i.image, i.memory, 0));
    VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = i.image,
                                  .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                  .format = format,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, 1}};
    VK_MUST(vkCreateImageView(gpu->device, &view, NULL, &i.view));
    return i;
}

void vk_free_image(const vk_gpu *gpu, vk_image *image)
{
    vkDestroyImageView(gpu->device, image->view, NULL);
    vkDestroyImage(gpu->device, image->image, NULL);
    vkFreeMemory(gpu->device, image->memory, NULL);
}

void vk_transition(VkCommandBuffer commands, VkImage image, uint32_t levels, VkImageLayout from,
                   VkImageLayout to)
{
    VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, 1}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

VkShaderModule vk_make_module(const vk_gpu *gpu, const void *words, size_t size)
{
    VkShaderModule module;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VK_MUST(vkCreateShaderModule(gpu->device, &info, NULL, &module));
    return module;
}

VkCommandBuffer vk_begin(const vk_gpu *gpu)
{
    VkCommandBuffer commands;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = gpu->pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK_MUST(vkAllocateCommandBuffers(gpu->device, &info, &commands));
    VK_MUST(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

void vk_end(VkCommandBuffer commands)
{
    VK_MUST(vkEndCommandBuffer(commands));
}

void vk_submit(const vk_gpu *gpu, VkCommandBuffer commands)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands};
    VK_MUST(vkResetFences(gpu->device, 1, &gpu->fence));
    VK_MUST(vkQueueSubmit(gpu->queue, 1, &info, gpu->fence));
    VK_MUST(vkWaitForFences(gpu->device, 1, &gpu->fence, VK_TRUE, UINT64_MAX));
}
